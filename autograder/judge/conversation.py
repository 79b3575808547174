"""The judge's side of the conversation: ask, wait no longer than allowed, take nothing for granted."""

import contextlib
import io
import pickle
import signal
import socket
import time
import weakref
from collections.abc import Callable
from types import FunctionType

import torch

from autograder.ipc.channel import LOOK_SECONDS, Channel
from autograder.ipc.codec import Decoder, encode
from autograder.ipc.errors import Closed, CodecError, WireError
from autograder.judge.budget import IDLE_SECONDS, Budget, Runner, runner_of_peer
from autograder.judge.proxies import Remote
from autograder.judge.student_errors import RunnerGone, UnreadableAnswer, is_timeout, students_error
from helpers.checks import case
from helpers.checks.forms import canonical, crossed
from helpers.checks.timers import CLOCK_FACTOR, by_the_clock

GRACE = 3.0  # seconds after a call's own limit, in which the runner may still say so
MAX_CALLBACKS = 1_000_000  # of one request; its time bounds them too
MAX_DEPTH = 20  # calls within calls
HELLO_TIMEOUT = 30.0  # seconds for a runner that has run nothing to say that it is there
STARVED = 0.1  # of a call's processor time: one that got less, and no answer, may not have had its turn
HELLO = {"op": "cell", "id": "", "source": "", "seconds": HELLO_TIMEOUT, "clock": HELLO_TIMEOUT}


class Conversation:
    """Requests to one runner, and the objects that both sides speak of.

    seconds: by the clock, for all of them; clock_factor: see helpers.checks.timers.by_the_clock; idle: seconds that the
    runner may sleep in all of them.
    ended: why the runner is of no more use, "" while it is; silent: whether it was because a call went unanswered;
    starved: whether a call went unanswered that had hardly any processor time, and did not sleep; own_call_seconds:
    of processor time for a call that a check itself gives no limit, 0 for those of our own checks; called, endless: how
    many calls there were, and how many of them came to no end.
    """

    def __init__(
        self,
        channel: Channel,
        seconds: float,
        grace: float = GRACE,
        clock_factor: float = CLOCK_FACTOR,
        idle: float = IDLE_SECONDS,
    ):
        self.channel, self.grace, self.clock_factor, self.idle_left = channel, grace, clock_factor, idle
        self.ended, self.silent, self.starved = "", False, False
        self.own_call_seconds = 0.0
        self.seconds, self.until = seconds, time.monotonic() + seconds
        self.remotes: weakref.WeakValueDictionary[int, Remote] = weakref.WeakValueDictionary()
        self.callbacks: dict[int, Callable] = {}
        self.dropped: set[int] = set()
        self.parcel: list = []
        self.deep = self.asked = self.called = self.endless = self.handed = 0
        self.budget = Budget()

    def meet(self, budget: Budget) -> None:
        """Before anything of the student's runs: learn whose processor time is to be counted."""
        sock = self.channel.sock
        if hasattr(socket, "SO_PASSCRED"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            with contextlib.suppress(WireError, TimeoutError):
                self.channel.send(HELLO, timeout=self.grace)
                budget.runner = runner_of_peer(sock, HELLO_TIMEOUT)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
                self.channel.receive(self.grace)
        self.budget = budget

    @property
    def judges_others(self) -> bool:
        """Whether test cells that others wrote are judged, and not our own checks."""
        return self.own_call_seconds > 0

    @property
    def call_seconds(self) -> float:
        """Seconds of processor time for a call that a check itself gives no limit."""
        return self.own_call_seconds or case.SECONDS

    @property
    def used_up(self) -> bool:
        """Whether the time for all cells has passed, or that in which the runner may sleep."""
        return self.idle_left <= 0 or time.monotonic() >= self.until

    def ask(self, request: dict, out: list[bytes], seconds: float) -> tuple[dict, list[bytearray]]:
        """Send a request and return the reply; raises RunnerGone if none comes that can be read.

        seconds: of processor time that the runner has for it.
        """
        if self.ended or self.deep >= MAX_DEPTH:
            raise RunnerGone(self.ended or "the calls within calls do not end")
        self.asked += 1
        dropped, self.dropped = sorted(self.dropped), set()
        clock = by_the_clock(seconds, self.clock_factor)
        wait = Wait(time.monotonic() + clock + self.grace, self.budget.runner, seconds + self.grace)
        request = request | {"release": dropped, "seconds": seconds, "clock": clock}
        try:
            with _no_alarm() as before:
                self.channel.send(request, out, self._time_left(wait))
                header, buffers = self._reply(wait, before)
        except (WireError, TimeoutError) as error:
            self.silent = isinstance(error, TimeoutError) and not self.ended
            self.starved = self.starved or (self.silent and not self.used_up and wait.used() < STARVED * seconds)
            self.end(self._why(error))
            raise RunnerGone(self.ended) from None
        if is_timeout(header.get("error")):
            self.endless += 1
            self.starved = self.starved or wait.used() < STARVED * seconds
        return header, buffers

    def run(self, request: dict, out: list[bytes], seconds: float) -> tuple:
        """Ask for something of the student's to be run; returns (value, error, printed, after)."""
        header, buffers = self.ask(request | {"seed": self.asked, "grad": torch.is_grad_enabled()}, out, seconds)
        self.budget.hold()
        decoder = Decoder(buffers, self)
        if header.get("error") is not None:
            return None, students_error(header["error"]), header.get("printed"), {}
        try:
            value = crossed(decoder.value(header.get("value")))
            after = {_key(pair): decoder.value(pair[1]) for pair in header.get("after") or ()}
        except (CodecError, TypeError) as error:
            return None, UnreadableAnswer(f"the answer could not be read: {error}"), header.get("printed"), {}
        return value, None, header.get("printed"), after

    def end(self, why: str) -> None:
        """Have done with the runner."""
        self.ended = self.ended or why
        self.channel.close()

    def _time_left(self, wait: "Wait") -> float:
        """Return the seconds until a wait ends, or until all time is used up; raises TimeoutError if there are none."""
        left = min(wait.until, self.until) - time.monotonic()
        if left <= 0 or self.idle_left <= 0 or wait.taken() > wait.processor:
            raise TimeoutError
        return left

    def _why(self, error: Exception) -> str:
        if isinstance(error, TimeoutError) and self.idle_left <= 0:
            return "its answers slept too long in all"
        if isinstance(error, TimeoutError) and self.used_up:
            return f"the time for all cells ({self.seconds:g} s) was used up"
        if isinstance(error, TimeoutError):
            return "no answer came in time"
        return "the process ended" if isinstance(error, Closed) else f"the answer could not be read: {error}"

    def _reply(self, wait: "Wait", mask) -> tuple[dict, list[bytearray]]:
        """Wait for the reply, and meanwhile answer the student's calls of functions that were handed out."""
        for _ in range(MAX_CALLBACKS):
            header, buffers = self._next_message(wait)
            if header.get("op") != "callback":
                return header, buffers
            self._call_back(header, buffers, mask, wait)
        raise WireError("the functions that were handed in are called without end")

    def _next_message(self, wait: "Wait") -> tuple[dict, list[bytearray]]:
        def look() -> None:
            """The runner computes, waits for its turn, or sleeps."""
            slept = self.budget.runner.slept(LOOK_SECONDS)
            wait.slept += slept
            self.idle_left -= slept
            self._time_left(wait)

        return self.channel.receive(self._time_left(wait), look)

    def _call_back(self, header: dict, buffers: list[bytearray], mask, wait: "Wait") -> None:
        """Call a function of the check's with what the student's code gave it."""
        out: list[bytes] = []
        self.deep += 1
        try:
            function, args, kwargs = self._called(header, buffers)
            with contextlib.redirect_stdout(io.StringIO()), _mask(mask):
                value = function(*args, **kwargs)
            reply = {"error": None} | self.write([value], {}, out)
        except BaseException as error:  # its text stays here: it may tell what was expected
            reply, out = {"error": type(error).__name__}, []
        finally:
            self.deep -= 1
        if self.ended:
            raise Closed(self.ended)
        self.channel.send(reply, out, self._time_left(wait))

    def _called(self, header: dict, buffers: list[bytearray]) -> tuple[Callable, list, dict]:
        number, args, kwargs = header.get("id"), header.get("args"), header.get("kwargs")
        if type(number) is not int or type(args) is not list or type(kwargs) is not dict:
            raise CodecError("a malformed call came")
        decoder = Decoder(buffers, self)
        return (
            self.callbacks[number],
            [canonical(decoder.value(a)) for a in args],
            {k: canonical(decoder.value(v)) for k, v in kwargs.items()},
        )

    def write(self, args, kwargs: dict, out: list[bytes]) -> dict:
        """Return the nodes of arguments; a library's objects go in one parcel, so that what they share stays shared."""
        self.parcel = []
        nodes: dict = {
            "args": [encode(a, out, self) for a in args],
            "kwargs": {k: encode(v, out, self) for k, v in kwargs.items()},
        }
        if self.parcel:
            out.append(pickle.dumps(self.parcel))
            nodes["parcel"] = len(out) - 1
        return nodes

    # What is not data

    def outgoing(self, value, encoder) -> dict:
        """Return a node for what the check hands in: an object of the student's, one of a library, or a function."""
        if isinstance(value, Remote):
            return {"is": "handle", "id": value._Remote__id}
        if not (type(value) is FunctionType and type(value.__globals__) is not dict):  # not defined in the check
            try:
                encoder.hold(len(pickle.dumps(value)))
                self.parcel.append(value)
                return {"is": "object", "place": len(self.parcel) - 1}
            except (pickle.PicklingError, AttributeError, TypeError):
                pass
        if not callable(value):
            raise CodecError(f"the check hands in a {type(value).__name__}, which cannot be sent")
        return self._hand_out(value)

    def _hand_out(self, function: Callable) -> dict:
        number = next((n for n, known in self.callbacks.items() if known is function), None)
        if number is None:
            self.handed += 1
            number = self.handed
            self.callbacks[number] = function
        return {"is": "callback", "id": number, "name": getattr(function, "__name__", "function")}

    def incoming(self, node: dict, decoder):
        """Return the proxy of a student's object, or the function of the check's that came back."""
        number = node.get("id")
        if type(number) is not int or not 0 <= number < 2**53:
            raise CodecError("a malformed value came (no such object)")
        if node["is"] == "callback" and number in self.callbacks:
            return self.callbacks[number]
        if node["is"] != "handle":
            raise CodecError("a malformed value came (no such kind)")
        self.dropped.discard(number)
        remote = self.remotes.get(number)
        if remote is None:
            remote = self.remotes[number] = Remote.named(self, node)
        if "data" in node:
            remote.take_data(decoder.read(node["data"]))
        return remote


class Wait:
    """For an answer: until a moment of the clock, or until the runner has taken so many seconds of processor time.

    slept: seconds for which the runner neither computed nor waited for its turn, as far as somebody looked.
    """

    def __init__(self, until: float, runner: Runner, processor: float):
        self.until, self.processor, self.runner = until, processor, runner
        self.slept, self._start = 0.0, runner.processor()

    def taken(self) -> float:
        """Return the seconds of processor time that the runner has taken since."""
        return self.runner.processor() - self._start

    def used(self) -> float:
        """Return the seconds that it has had for itself since, whether it computed or slept."""
        return self.taken() + self.slept


def _key(pair) -> int | str:
    """Return which argument a pair of `after` speaks of."""
    if type(pair) is not list or len(pair) != 2 or type(pair[0]) not in (int, str):
        raise CodecError("a malformed value came (no argument)")
    return pair[0]


@contextlib.contextmanager
def _no_alarm():
    """Hold back the alarm: raised within a message, it would tear it in two. Yields the mask of before."""
    if not hasattr(signal, "pthread_sigmask"):
        yield None
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM, signal.SIGPROF})
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _mask(mask):
    """Let signals through as they were before."""
    if mask is None:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
