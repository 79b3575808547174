"""The student's objects as the check sees them: proxies, of which nothing is believed but the data that they send."""

import builtins
import functools
import inspect

import numpy as np
import torch

from autograder.judge.student_errors import RunnerGone, is_name, text_of
from helpers.checks import case
from helpers.checks.forms import NAMED, canonical
from helpers.checks.put_back import change

MAX_PRINTED = 10_000
MAX_ITEMS = 100_000
MAX_PARAMETERS = 50
BUILTINS = vars(builtins)


class Remote:
    """A function, class, module or other object of the student's process.

    It may be called, indexed, iterated, asked for its length and its attributes; what comes is data of exact types, or
    a Remote again. It is equal to data by the data alone that came with it, and neither true nor false: a comparison
    or a condition that a student's object answers would be judged by the student.
    """

    def __init__(self, conversation, node: dict):
        own = {"conversation": conversation, "id": node["id"], "parameters": node.get("parameters")}
        own |= {"kind": node.get("kind"), "named": ""}
        self.__dict__.update({f"_Remote__{key}": value for key, value in own.items()})

    @staticmethod
    def named(conversation, node: dict) -> "Remote":
        """Return the proxy of a handle, of a class with the student's name for it, so that reports can tell it."""
        name = node.get("type")
        known = type(name) is str and name in NAMED
        return _class(name if known or is_name(name) else "object")(conversation, node)

    def is_named(self, name: str) -> None:
        """Take the name by which a check knows it; what the student's process calls it is told to nobody.

        Of other objects than functions and classes calls are not noted.
        """
        if self.__kind in ("function", "class", "module"):
            self.__dict__["__name__"] = name
        if self.__kind == "function":
            self.__dict__["_Remote__named"] = name
        if self.__kind == "class":
            self.__dict__["_Remote__named"] = case.CLASS + name

    def take_data(self, data) -> None:
        """Take the data of an object whose class was made from a plain type."""
        self.__dict__.update(_Remote__data=data, _Remote__came=self.__conversation.called)

    def data_that_came(self):
        """Return the data of an object whose class was made from a plain type, as they last came; else itself."""
        return self.__dict__.get("_Remote__data", self)

    def __call__(self, *args, **kwargs):
        """Call the student's object; what it changes in place is changed here too while a case is tried."""
        seconds = self.__conversation.call_seconds
        value, error, _, after = self.__run_call(args, kwargs, seconds, copy=False)
        for key, new in after.items():
            if key in kwargs or (type(key) is int and 0 <= key < len(args)):
                change(kwargs[key] if type(key) is str else args[key], new, write_back)
        return _or_raise(value, error, seconds)

    def call_on_copies(self, args: tuple, kwargs: dict, seconds: float) -> tuple:
        """Return (value, error, printed, (args, kwargs) as the call left them): what helpers.checks.case needs."""
        try:
            value, error, printed, after = self.__run_call(args, kwargs, seconds, copy=True)
        except RunnerGone as gone:
            return None, case.CaseTimeout() if self.__conversation.silent else gone, "", (args, kwargs)
        args_left = [after.get(i, a) for i, a in enumerate(args)]
        kwargs_left = {k: after.get(k, v) for k, v in kwargs.items()}
        return value, error, text_of(printed, MAX_PRINTED), (args_left, kwargs_left)

    def __run_call(self, args: tuple, kwargs: dict, seconds: float, copy: bool) -> tuple:
        for each in (self, *args, *kwargs.values()):
            if isinstance(each, Remote) and each.__named:
                case.note_call(each.__named)
        self.__conversation.called += 1
        out: list[bytes] = []
        request = {"op": "call", "handle": self.__id, "copy": copy} | self.__conversation.write(args, kwargs, out)
        return self.__conversation.run(request, out, seconds)

    def __ask(self, op: str, out: list[bytes] | None = None, **more):
        request = {"op": op, "handle": self.__id} | more
        seconds = self.__conversation.call_seconds
        value, error, _, _ = self.__conversation.run(request, out or [], seconds)
        return _or_raise(value, error, seconds, stops=op == "next")

    def __getattr__(self, name: str):
        if name.startswith(("__", "_Remote__")):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}' here")
        return self.__ask("attr", name=name)

    def __setattr__(self, name: str, value):
        raise AttributeError(f"'{name}' cannot be set from here: hand data to a method of the object")

    def __getitem__(self, key):
        out: list[bytes] = []
        return self.__ask("item", out, **self.__conversation.write([key], {}, out))

    def __len__(self) -> int:
        length = self.__ask("len")
        if type(length) is not int or not 0 <= length < 2**31:
            raise TypeError("the length that came is no length")
        self.__dict__["_Remote__told"] = self.__conversation.called, length
        return length

    def __iter__(self):
        iterator = self.__ask("iter")
        if not isinstance(iterator, Remote):
            raise TypeError("what came is no iterator")
        for count in range(MAX_ITEMS):
            try:
                yield next(iterator)
            except StopIteration:
                self.__ensure_all(count)
                return
        raise ValueError(f"more than {MAX_ITEMS:,} items came")

    def __ensure_all(self, count: int) -> None:
        """Raise TypeError if other items came than the length told last, with no call between, in a test of others.

        A loop over none of three items would find nothing wrong.
        """
        called, length = self.__dict__.get("_Remote__told", (-1, 0))
        if self.__conversation.judges_others and called == self.__conversation.called and count != length:
            raise TypeError(f"of {length} items {count} came")

    def __next__(self):
        return self.__ask("next")

    def __bool__(self) -> bool:
        raise TypeError("a student's object is neither true nor false here")

    def __eq__(self, other) -> bool:
        if isinstance(other, Remote):
            return self is other
        if self.__dict__.get("_Remote__came") == self.__conversation.called:  # nothing can have changed it since
            return bool(canonical(self) == canonical(other))
        raise TypeError(f"an object of type {type(self).__name__} came, and only data can be compared")

    def __hash__(self) -> int:
        return id(self)

    def __deepcopy__(self, _memo) -> "Remote":
        return self

    def __copy__(self) -> "Remote":
        return self

    def __reduce_ex__(self, _protocol):
        raise TypeError("a student's object stays in its process")

    def __repr__(self) -> str:
        return f"<the student's {type(self).__name__}>"

    @property
    def __signature__(self) -> inspect.Signature:
        """The names of the parameters, for helpers.checks.case; raises ValueError where they are not known."""
        names = self.__parameters
        if type(names) is not list or not all(is_name(n) for n in names[:MAX_PARAMETERS]):
            raise ValueError("no signature")
        plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(n, plain) for n in dict.fromkeys(names[:MAX_PARAMETERS])])

    def __del__(self):
        if "_Remote__id" in self.__dict__:  # not so where a class was to be made from it
            self.__conversation.dropped.add(self.__id)


@functools.lru_cache(256)
def _class(name: str) -> type[Remote]:
    return type(name, (Remote,), {"__module__": __name__})


def _or_raise(value, error: BaseException | None, seconds: float, stops: bool = False):
    """Return the value or raise the error; StopIteration only where one is asked for the next item.

    Raised by a call within map or zip, it would end the check's own loop as if all was well (PEP 479).
    """
    if isinstance(error, case.CaseTimeout):
        raise TimeoutError(f"no answer within {seconds:g} s")
    if isinstance(error, StopIteration) and not stops:
        raise RuntimeError(f"StopIteration: {error}")
    if error is not None:
        raise error
    return value


def write_back(old, new):
    """Give an argument of the check's the content that the student's function left in its copy; returns what it is now.

    What has an identity (a list, an array, a tensor, a library's module) keeps it, as in one process.
    """
    if isinstance(old, torch.nn.Module) and type(new) is dict:
        for name, tensor in [*old.named_parameters(), *old.named_buffers()]:
            write_back(tensor, new.get(name))
    elif type(old) is not type(new):
        return new
    elif type(old) is list:
        old[:] = [*map(write_back, old, new), *new[len(old) :]]
    elif type(old) is dict:
        items = {k: write_back(old[k], v) if k in old else v for k, v in new.items()}
        old.clear()
        old.update(items)
    elif type(old) is set:
        old.clear()
        old.update(new)
    elif type(old) is np.ndarray and (old.shape, old.dtype) == (new.shape, new.dtype):
        old[...] = new
    elif type(old) in (torch.Tensor, torch.nn.Parameter) and (old.shape, old.dtype) == (new.shape, new.dtype):
        old.data.copy_(new.data)
        old.grad = new.grad
    else:
        return tuple(map(write_back, old, new)) if type(old) is tuple and len(old) == len(new) else new
    return old


class Names(dict):
    """The globals of a check: its own names, the builtins, and then the student's, fetched when first read."""

    def __init__(self, conversation):
        super().__init__(__name__="__main__", __builtins__=builtins)
        self.conversation = conversation

    def __missing__(self, name: str):
        if name.startswith("__"):
            raise KeyError(name)  # Python looks among the builtins then, and raises NameError if it is not there
        self[name] = value = BUILTINS[name] if name in BUILTINS else self._fetch(name)  # kept: some are read often
        return value

    def _fetch(self, name: str):
        value, error, _, _ = self.conversation.run({"op": "get", "name": name}, [], case.SECONDS)
        if isinstance(error, NameError):
            raise KeyError(name)
        value = _or_raise(value, error, case.SECONDS)
        if isinstance(value, Remote):
            value.is_named(name)
        return value
