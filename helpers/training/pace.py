"""A run that would take very long ends early and says so: a right answer that works number by number can be slow."""

import time

LONGEST = 15 * 60  # seconds that a run may take; the course's own take three minutes at most on two cores
TRIED = 2 * 60  # seconds after which one that would take longer ends

lifted = False  # set to True, and every run goes to its last step

ADVICE = """
Often the reason is a function that works number by number: write it with whole arrays or tensors, then run its cell and
this one again. To wait instead: from helpers.training import pace; pace.lifted = True
""".strip()


class Pace:
    """How fast a run moves, in CPU seconds of this thread: programs beside it change nothing.

    too_slow: why the run ends before its last step, "" while it goes on
    """

    def __init__(self, steps: int):
        """steps: how many are to be done from now on."""
        self.steps = steps
        self.done = 0
        self.begun = time.thread_time()
        self.too_slow = ""

    def step_done(self) -> bool:
        """Count a step; returns whether the run is too slow to go on."""
        self.done += 1
        seconds = time.thread_time() - self.begun
        all_steps = seconds / self.done * self.steps
        if seconds > TRIED and all_steps > LONGEST and not lifted:
            minutes = round(all_steps / 60)
            self.too_slow = f"stopped after {self.done:,} of {self.steps:,} steps: all would take {minutes} minutes"
        return bool(self.too_slow)
