"""How a model is trained here: one loop, `fit`, and what it is made of, one concept a module.

In: a model, batches, a loss. Out: the model trained, and a History of the run.
May import: errors, files, device, checks, plots, data.
"""

from helpers.training.evaluation import mean_loss
from helpers.training.history import History
from helpers.training.loop import fit
from helpers.training.precision import best_precision

__all__ = ["History", "best_precision", "fit", "mean_loss"]
