"""The colours of everything that the course draws: Okabe and Ito (2008), told apart by colour-blind readers too."""

BLUE = "#0072b2"
RED = "#d55e00"  # vermilion
GREEN = "#009e73"
PURPLE = "#cc79a7"
ORANGE = "#e69f00"
SKY = "#56b4e9"  # blue on a dark page
BLACK = "#000000"
COLORS = [BLUE, RED, GREEN, PURPLE, ORANGE, SKY, BLACK]  # of a figure's curves; the order differs in lightness, too
