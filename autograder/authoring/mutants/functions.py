"""Faults of a whole function: a line before what it does, or a decorator; its signature says which."""

import ast
from collections.abc import Iterator

Fault = tuple[str, str]  # its kind, and a line that comes first in the function, or a decorator ("@...")

FIRST_LINES = {
    "Tensor": [
        ("gradient cut", "{0} = {0}.detach()"),
        ("narrower dtype", "{0} = {0}.float() if {0}.is_floating_point() else {0}"),
        ("axis of size 1 lost", "{0} = {0}.squeeze()"),
        ("capped values", "{0} = {0}.clamp(-30, 30) if {0}.is_floating_point() else {0}"),
        ("capped length", "{0} = {0}[:64]"),
        ("argument changed", "_given, {0} = {0}, {0}.clone(); _given.data.zero_()"),
    ],
    "ndarray": [
        ("narrower dtype", "{0} = {0}.astype(np.float32) if {0}.dtype.kind == 'f' else {0}"),
        ("axis of size 1 lost", "{0} = {0}.squeeze()"),
        ("capped values", "{0} = {0}.clip(-30, 30) if {0}.dtype.kind == 'f' else {0}"),
        ("capped length", "{0} = {0}[:64]"),
        ("argument changed", "_given, {0} = {0}, {0}.copy(); _given[...] = 0"),
    ],
    "str": [
        ("text changed", "{0} = {0}.lower()"),
        ("text changed", "{0} = {0}.strip()"),
        ("text changed", "{0} = ' '.join({0}.split())"),
        ("text changed", "{0} = __import__('unicodedata').normalize('NFC', {0})"),
        ("capped length", "{0} = {0}[:512]"),
    ],
    "list[str]": [
        ("text changed", "{0} = [_t.lower() for _t in {0}]"),
        ("text changed", "{0} = [_t for _t in {0} if _t]"),
        ("repeats dropped", "{0} = list(dict.fromkeys({0}))"),
    ],
    "list": [
        ("capped length", "{0} = {0}[:64]"),
        ("argument changed", "_given, {0} = {0}, list({0}); _given.clear()"),
    ],
    "dict": [("argument changed", "_given, {0} = {0}, dict({0}); _given.clear()")],
    "float": [("capped values", "{0} = min({0}, 0.95)"), ("capped values", "{0} = max({0}, 0.05)")],
    "int": [("capped values", "{0} = min({0}, 64)"), ("capped values", "{0} = max({0}, 2)")],
    "Random": [("generator copied", "{0} = __import__('copy').deepcopy({0})")],
    "numpy.Generator": [("generator copied", "{0} = __import__('copy').deepcopy({0})")],
    "torch.Generator": [
        ("generator copied", "_g = torch.Generator(); _g.set_state({0}.get_state()); {0} = _g"),
        ("generator reset", "{0}.manual_seed(0)"),
    ],
}
REMEMBERED = """\
def remembered_by_shape(function, _kept={}):
    def shape(value):
        return tuple(map(shape, value)) if isinstance(value, list | tuple) else getattr(value, "shape", None) or (
            len(value) if hasattr(value, "__len__") else value if isinstance(value, bool) else None)
    def called(*args, **named):
        key = function.__qualname__, shape(args), tuple(sorted(named))
        if key not in _kept:
            _kept[key] = function(*args, **named)
        return _kept[key]
    return called
"""


def faults(function: ast.FunctionDef) -> Iterator[Fault]:
    """Yield the faults that can be made of a whole function."""
    defaults = _defaults(function.args)
    for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        annotation = ast.unparse(argument.annotation) if argument.annotation else ""
        if argument.arg in defaults and defaults[argument.arg] != "None":
            yield "argument ignored", f"{argument.arg} = {defaults[argument.arg]}"
        for kind in _kinds(annotation):
            for fault, line in FIRST_LINES[kind]:
                guard = f"if {argument.arg} is not None: " if "None" in annotation else ""
                yield fault, guard + line.format(argument.arg)
    if "Tensor" in ast.unparse(function.args) or (function.returns and "Tensor" in ast.unparse(function.returns)):
        yield "gradient cut", "@torch.no_grad()"
    if function.args.args:
        yield "kept between calls", "@remembered_by_shape"


def _kinds(annotation: str) -> list[str]:
    """Return the rows of FIRST_LINES that an annotation stands for."""
    plain = annotation.replace(" | None", "")
    if plain in ("torch.Tensor", "Tensor"):
        return ["Tensor"]
    if plain in ("np.ndarray", "numpy.ndarray"):
        return ["ndarray"]
    if plain.endswith("Generator"):
        return ["torch.Generator" if "torch" in plain else "numpy.Generator"]
    if plain.startswith("list["):
        return ["list", "list[str]"] if plain == "list[str]" else ["list"]
    return [
        kind for kind in ("str", "float", "int", "dict", "Random") if plain.removeprefix("random.").startswith(kind)
    ]


def _defaults(args: ast.arguments) -> dict[str, str]:
    """Return {argument: its default, as code}."""
    named = args.posonlyargs + args.args
    pairs = [
        *zip(reversed(named), reversed(args.defaults), strict=False),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    return {argument.arg: ast.unparse(default) for argument, default in pairs if default}
