from helpers.checks import graded


@graded("resume", points=7)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the optimiser's state is missing: its means begin anew": {
            1: {'same': 0.146106, 'again': 0.146106, 'step': 3, 'entry': 3, 'read': True},
        },
        "the place in the data is missing: keep the state of `generator`": {
            1: {'same': 0.213785, 'again': 0.19912, 'step': 3, 'entry': 3, 'read': True},
        },
        "dropout draws other numbers: keep the state of torch's own generator, too": {
            1: {'same': 0.115082, 'again': 0.182746, 'step': 3, 'entry': 3, 'read': True},
        },
        "neither generator's state was restored": {
            1: {'same': 0.200954, 'again': 0.166755, 'step': 3, 'entry': 3, 'read': True},
        },
        "the generator was seeded anew: put its state back": {
            1: {'same': 0.234285, 'again': 0.234285, 'step': 3, 'entry': 3, 'read': True},
        },
        "the weights were not restored": {
            1: {'same': 2.30576, 'again': 2.71756, 'step': 3, 'entry': 3, 'read': True},
        },
        "the snapshot holds the live tensors: training goes on in them, so take copies": {
            1: {'same': 0.201997, 'again': 0.201997, 'step': 3, 'entry': 3, 'read': True},
        },
        "the optimiser goes on in the snapshot's own tensors: the second restoring finds them changed": {
            1: {'same': 0.0, 'again': 0.10878, 'step': 3, 'entry': 3, 'read': True},
        },
        "the step after it came back: `step` itself is stored": {
            1: {'same': 0.0, 'again': 0.0, 'step': 4, 'entry': 4, 'read': True},
        },
        "`restore` returned the step after that of the snapshot": {
            1: {'same': 0.0, 'again': 0.0, 'step': 4, 'entry': 3, 'read': True},
        },
        "the snapshot has no entry \"step\": the number of steps is stored under this name": {
            1: {'same': 0.0, 'again': 0.0, 'step': 3, 'entry': None, 'read': True},
        },
        "torch.load refuses the snapshot with weights_only: tensors, numbers, texts, lists and dicts alone": {
            1: {'same': 0.0, 'again': 0.0, 'step': 3, 'entry': 3, 'read': False},
        },
        "the old file was touched while the new one was not whole: write beside it, then rename": {
            2: {'file': 2, 'others': 0, 'at once': False, 'kept': True},
            3: {'file': 'damaged', 'others': 0, 'at once': True, 'kept': True},
        },
        "the new file was copied over the old one: only a rename is all or nothing": {
            2: {'file': 2, 'others': 0, 'at once': False, 'kept': True},
        },
        "a second file is left in the folder: rename it into place": {
            2: {'file': 2, 'others': 1, 'at once': False, 'kept': True},
        },
        "the second snapshot was not written": {
            2: {'file': 1, 'others': 0, 'at once': False, 'kept': True},
        },
    })
    same = {"same": 0.0, "again": 0.0, "read": True}
    renamed = {"others": 0, "at once": True, "kept": True}
    missing = {"`restore` reads an entry that is not there: another name, or taken out the first time": KeyError}
    check(stopped_and_resumed, 3, 8).equals(
        same | {"step": 3, "entry": 3}, about="stopped after three of eight steps", near=missing
    )
    check(written, False).equals(renamed | {"file": 2}, about="written twice")
    check(written, True).equals(renamed | {"file": 1}, about="the second writing fails in the middle")


score
