"""What the notebooks import: data, checks, training, plots, the leaderboard."""
