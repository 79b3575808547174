"""The course around a notebook: its first cell, artifacts of earlier chapters, leaderboard, claims, the cost of a call.

In: names of chapters and artifacts. Out: files in the student's own folder (BOW2LORA_HOME), lines in the notebook.
May import: errors, files, device, cells, checks, plots, data, training.
"""

from helpers.device import SEED, seed_everything

__all__ = ["SEED", "seed_everything"]
