"""What models of given sizes hold and cost, before a single weight exists."""

from collections.abc import Callable, Mapping

H100 = 4e14  # useful operations a second
YEAR = 3.156e7  # seconds
STEP = 3  # a step of training costs so many forward passes
Sizes = tuple[int, int, int, int]  # vocabulary, context, width, blocks


def gpt_costs(
    models: Mapping[str, tuple[Sizes, float | None]], gpt_parameters: Callable, flops_per_token: Callable
) -> str:
    """Return a table by model: parameters, operations a token, years of training on one H100.

    models: the sizes, and the tokens of training or None. The two functions are the student's.
    """
    lines = [f"{'model':<18}{'parameters':>18}{'operations a token':>20}{'training':>26}"]
    for name, (sizes, tokens) in models.items():
        cost, parameters = int(flops_per_token(*sizes)), int(gpt_parameters(*sizes))
        years = f"{STEP * cost * tokens / H100 / YEAR:,.0f} years on one H100" if tokens else ""
        lines.append(f"{name:<18}{parameters:>18,}{cost:>20,}{years:>26}")
    return "\n".join(lines)
