from helpers.checks import graded


@graded("resume", points=7)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the optimiser's state is missing: its means begin anew": {
            1: {'same': 0.146106, 'again': 0.146106, 'step': 3},
        },
        "the place in the data is missing: keep the state of `generator`": {
            1: {'same': 0.213785, 'again': 0.19912, 'step': 3},
        },
        "dropout draws other numbers: keep the state of torch's own generator, too": {
            1: {'same': 0.115082, 'again': 0.182746, 'step': 3},
        },
        "neither generator's state was restored": {
            1: {'same': 0.200954, 'again': 0.166755, 'step': 3},
        },
        "the weights were not restored": {
            1: {'same': 2.30576, 'again': 2.71756, 'step': 3},
        },
        "the snapshot holds the live tensors: training goes on in them, so take copies": {
            1: {'same': 0.201997, 'again': 0.201997, 'step': 3},
        },
        "the optimiser goes on in the snapshot's own tensors: the second restoring finds them changed": {
            1: {'same': 0.0, 'again': 0.10878, 'step': 3},
        },
        "the step behind it came: `step` itself was stored": {
            1: {'same': 0.0, 'again': 0.0, 'step': 4},
        },
        "a second file is left in the folder: rename it into place": {
            2: {'file': 2, 'others': 1},
        },
        "the second snapshot was not written": {
            2: {'file': 1, 'others': 0},
        },
        "the old file was written over while the new one was not whole: write beside it, then rename": {
            3: {'file': 'damaged', 'others': 0},
        },
        "the old file was removed before the new one was whole": {
            3: {'file': 'damaged', 'others': 0},
        },
    })
    same = {"same": 0.0, "again": 0.0}
    missing = {"an entry of the snapshot has another name where it is restored": KeyError}
    check(stopped_and_resumed, 3, 8).equals(
        same | {"step": 3}, about="stopped after three of eight steps", near=missing
    )
    check(written, False).equals({"file": 2, "others": 0}, about="written twice")
    check(written, True).equals({"file": 1, "others": 0}, about="the second writing fails in the middle")


score
