from helpers.checks import graded


@graded("resume", points=7)
def score(check):
    ### BEGIN MISTAKES
    import copy
    import pathlib

    import torch

    from helpers.chapters.training import probes

    def taken(model, optimizer, generator, step, *, copied=True, name="step", add=0, whole=False):
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), name: step + add}
        state |= {"data": generator.get_state(), "dropout": torch.get_rng_state()}
        if whole:
            state["place"] = generator.clone_state()
        return copy.deepcopy(state) if copied else state

    def put(state, model, optimizer, generator, *, leave=(), copied=True, add=0, name="step", seed=None):
        state = copy.deepcopy(state) if copied else state
        if "model" not in leave:
            model.load_state_dict(state["model"])
        if "optimizer" not in leave:
            optimizer.load_state_dict(state["optimizer"])
        if "data" not in leave:
            generator.set_state(state["data"])
        if seed is not None:
            generator.manual_seed(seed)
        if "dropout" not in leave:
            torch.set_rng_state(state["dropout"])
        return state[name] + add

    def went(take=None, **part):
        return lambda *a, **how: probes.stopped_and_resumed(take or taken, lambda *s: put(*s, **part), *a, **how)

    def under(**part):
        return lambda *run: taken(*run, **part)

    check.mistakes(
        {
            "the optimiser's state is missing: its means begin anew": went(leave=["optimizer"]),
            "the place in the data is missing: keep the state of `generator`": went(leave=["data"]),
            "dropout draws other numbers: keep the state of torch's own generator, too": went(leave=["dropout"]),
            "neither generator's state was restored": went(leave=["data", "dropout"]),
            "the generator was seeded anew: put its state back": went(seed=0),
            "the weights were not restored": went(leave=["model"]),
            "the snapshot holds the live tensors: training goes on in them, so take copies": went(
                take=under(copied=False)
            ),
            "the optimiser goes on in the snapshot's own tensors: the second restoring finds them changed": went(
                copied=False
            ),
            "the step after it came back: `step` itself is stored": went(take=under(add=1)),
            "`restore` returned the step after that of the snapshot": went(add=1),
            "the snapshot has no entry \"step\": the number of steps is stored under this name": went(
                take=under(name="steps"), name="steps"
            ),
            "torch.load refuses the snapshot with weights_only: tensors, numbers, texts, lists and dicts alone": went(
                take=under(whole=True)
            ),
        },
        stopped_and_resumed,
    )

    def wrote(save):
        return lambda fails: probes.written(save, fails)

    def left_behind(state, path):
        new = path.with_name("copy.pt")
        torch.save(state, new)
        pathlib.Path(path).write_bytes(new.read_bytes())

    def copied_over(state, path):
        left_behind(state, path)
        path.with_name("copy.pt").unlink()

    def only_once(state, path):
        if not path.exists():
            torch.save(state, path)

    check.mistakes(
        {
            "the old file was touched while the new one was not whole: write beside it, then rename": wrote(torch.save),
            "the new file was copied over the old one: only a rename is all or nothing": wrote(copied_over),
            "a second file is left in the folder: rename it into place": wrote(left_behind),
            "the second snapshot was not written": wrote(only_once),
        },
        written,
    )
    ### END MISTAKES
    same = {"same": 0.0, "again": 0.0, "read": True}
    renamed = {"others": 0, "at once": True, "kept": True}
    missing = {"`restore` reads an entry that is not there: another name, or taken out the first time": KeyError}
    check(stopped_and_resumed, 3, 8).equals(
        same | {"step": 3, "entry": 3}, about="stopped after three of eight steps", near=missing
    )
    check(written, False).equals(renamed | {"file": 2}, about="written twice")
    check(written, True).equals(renamed | {"file": 1}, about="the second writing fails in the middle")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for stop, steps in ((1, 6), (5, 9), (70, 73)):
        seed = int(check.rng.integers(10, 1000))
        check(stopped_and_resumed, stop, steps, seed).equals(same | {"step": stop, "entry": stop}, about="other runs")
    check(stopped_and_resumed, 0, 4, 3).equals(same | {"step": 0, "entry": 0}, about="before the first step", edge=True)
    check(stopped_and_resumed, 5, 5, 3).equals(same | {"step": 5, "entry": 5}, about="after the last step", edge=True)
    check(written, True).equals(renamed | {"file": 1}, about="the disk fills up in the middle")
    check(written, False).equals(renamed | {"file": 2}, about="what is left in the folder")
    ### END HIDDEN TESTS


score
