# %% right="clones by hand"
def snapshot(model, optimizer, generator, step):
    weights = {k: v.detach().clone() for k, v in model.state_dict().items()}
    means = copy.deepcopy(optimizer.state_dict())
    return dict(weights=weights, means=means, draws=generator.get_state().clone(), drops=torch.get_rng_state().clone(), step=step)
def restore(state, model, optimizer, generator):
    model.load_state_dict(state["weights"])
    optimizer.load_state_dict(copy.deepcopy(state["means"]))
    generator.set_state(state["draws"])
    torch.set_rng_state(state["drops"])
    return state["step"]
def write_safely(state, path):
    import os, tempfile
    handle, name = tempfile.mkstemp(dir=path.parent)
    os.close(handle)
    torch.save(state, name)
    os.replace(name, path)
# %% right="through bytes"
def snapshot(model, optimizer, generator, step):
    import io
    buffer = io.BytesIO()
    torch.save([model.state_dict(), optimizer.state_dict(), generator.get_state(), torch.get_rng_state(), step], buffer)
    return {"all": buffer.getvalue(), "step": step}
def restore(state, model, optimizer, generator):
    import io
    weights, means, data, drops, step = torch.load(io.BytesIO(state["all"]))
    model.load_state_dict(weights)
    optimizer.load_state_dict(means)
    generator.set_state(data)
    torch.random.set_rng_state(drops)
    return step
def write_safely(state, path):
    new = Path(str(path) + "~")
    torch.save(state, str(new))
    new.replace(path)
# %% right="bytes first, then a file"
def write_safely(state, path):
    import io
    buffer = io.BytesIO()
    torch.save(state, buffer)
    new = path.parent / f".{path.name}.part"
    new.write_bytes(buffer.getvalue())
    new.rename(path)
# %% wrong="no means" says="means begin anew"
#~ optimizer.load_state_dict(state["optimizer"]) => pass
# %% wrong="no place in the data" says="place in the data"
#~ generator.set_state(state["data"]) => pass
# %% wrong="no dropout" says="dropout draws other numbers"
#~ torch.set_rng_state(state["dropout"]) => pass
# %% wrong="neither generator" says="neither generator"
#~ generator.set_state(state["data"]) => pass
#~ torch.set_rng_state(state["dropout"]) => pass
# %% wrong="no weights" says="weights were not restored"
#~ model.load_state_dict(state["model"]) => pass
# %% wrong="live tensors" says="live tensors"
#~ return copy.deepcopy(state) => return state
# %% wrong="the snapshot's own tensors" says="second restoring"
#~ state = copy.deepcopy(state) => pass
# %% wrong="one step more" says="`step` itself"
#~ "step": step} => "step": step + 1}
# %% wrong="written over" says="was touched while"
#~ torch.save(state, new) => torch.save(state, path)
#~ new.replace(path) => pass
# %% wrong="a second file" says="second file is left"
#~ new.replace(path) => path.write_bytes(new.read_bytes())
# %% wrong="removed first" says="was touched while"
#~ torch.save(state, new) => path.unlink(missing_ok=True); torch.save(state, new)
# %% wrong="another key" says="another name"
#~ "data": generator.get_state() => "place": generator.get_state()
# %% wrong="no entry step" says="no entry"
#~ "step": step} => "steps": step}
#~ return state["step"] => return state["steps"]
# %% wrong="the generator itself" says="refuses the snapshot"
#~ "data": generator.get_state() => "data": generator.clone_state()
#~ generator.set_state(state["data"]) => generator.set_state(state["data"].get_state())
# %% wrong="an array of NumPy" says="refuses the snapshot"
#~ "data": generator.get_state() => "data": generator.get_state().numpy()
#~ generator.set_state(state["data"]) => generator.set_state(torch.from_numpy(state["data"]))
# %% wrong="copied over the old file" says="copied over"
#~ new.replace(path) => path.write_bytes(new.read_bytes()); new.unlink()
# %% wrong="seeded anew" says="seeded anew"
#~ generator.set_state(state["data"]) => generator.manual_seed(0)
# %% wrong="taken out of the snapshot" says="taken out the first time"
#~ state = copy.deepcopy(state) => state = state | {"step": state.pop("step")}
#~ optimizer.load_state_dict(state["optimizer"]) => optimizer.load_state_dict(copy.deepcopy(state["optimizer"]))
# %% wrong="one step more comes back" says="`restore` returned the step after"
#~ return state["step"] => return state["step"] + 1
