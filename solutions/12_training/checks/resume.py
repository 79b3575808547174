from helpers.checks import graded


@graded("resume", points=7)
def score(check):
    ### BEGIN MISTAKES
    import copy
    import pathlib

    import torch

    from helpers.chapters.training import probes

    def taken(model, optimizer, generator, step, *, copied=True):
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
        state |= {"data": generator.get_state(), "dropout": torch.get_rng_state()}
        return copy.deepcopy(state) if copied else state

    def put(state, model, optimizer, generator, *, leave=(), copied=True, add=0):
        state = copy.deepcopy(state) if copied else state
        if "model" not in leave:
            model.load_state_dict(state["model"])
        if "optimizer" not in leave:
            optimizer.load_state_dict(state["optimizer"])
        if "data" not in leave:
            generator.set_state(state["data"])
        if "dropout" not in leave:
            torch.set_rng_state(state["dropout"])
        return state["step"] + add

    def went(take=None, **part):
        return lambda *a, **how: probes.stopped_and_resumed(take or taken, lambda *s: put(*s, **part), *a, **how)

    check.mistakes(
        {
            "the optimiser's state is missing: its means begin anew": went(leave=["optimizer"]),
            "the place in the data is missing: keep the state of `generator`": went(leave=["data"]),
            "dropout draws other numbers: keep the state of torch's own generator, too": went(leave=["dropout"]),
            "neither generator's state was restored": went(leave=["data", "dropout"]),
            "the weights were not restored": went(leave=["model"]),
            "the snapshot holds the live tensors: training goes on in them, so take copies": went(
                take=lambda *run: taken(*run, copied=False)
            ),
            "the optimiser goes on in the snapshot's own tensors: the second restoring finds them changed": went(
                copied=False
            ),
            "the step behind it came: `step` itself was stored": went(add=1),
        },
        stopped_and_resumed,
    )

    def wrote(save):
        return lambda fails: probes.written(save, fails)

    def through(path, name, keep=False):
        def save(state, path):
            new = path.with_name(name(path))
            torch.save(state, new)
            path.write_bytes(new.read_bytes())
            if not keep:
                new.unlink()

        return save

    def left_behind(state, path):
        new = path.with_name("copy.pt")
        torch.save(state, new)
        pathlib.Path(path).write_bytes(new.read_bytes())

    def removed(state, path):
        path.unlink(missing_ok=True)
        torch.save(state, path.with_name("new.pt"))
        path.with_name("new.pt").rename(path)

    def only_once(state, path):
        if not path.exists():
            torch.save(state, path)

    check.mistakes(
        {
            "the old file was written over while the new one was not whole: write beside it, then rename": wrote(
                torch.save
            ),
            "a second file is left in the folder: rename it into place": wrote(left_behind),
            "the old file was removed before the new one was whole": wrote(removed),
            "the second snapshot was not written": wrote(only_once),
        },
        written,
    )
    ### END MISTAKES
    same = {"same": 0.0, "again": 0.0}
    missing = {"an entry of the snapshot has another name where it is restored": KeyError}
    check(stopped_and_resumed, 3, 8).equals(
        same | {"step": 3}, about="stopped after three of eight steps", near=missing
    )
    check(written, False).equals({"file": 2, "others": 0}, about="written twice")
    check(written, True).equals({"file": 1, "others": 0}, about="the second writing fails in the middle")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for stop, steps in ((1, 6), (5, 9), (12, 30)):
        seed = int(check.rng.integers(10, 1000))
        check(stopped_and_resumed, stop, steps, seed).equals(same | {"step": stop}, about="other runs")
    check(stopped_and_resumed, 0, 4, 3).equals(same | {"step": 0}, about="before the first step", edge=True)
    check(stopped_and_resumed, 5, 5, 3).equals(same | {"step": 5}, about="after the last step", edge=True)
    check(written, True).equals({"file": 1, "others": 0}, about="the disk fills up in the middle")
    check(written, False).equals({"file": 2, "others": 0}, about="what is left in the folder")
    ### END HIDDEN TESTS


score
