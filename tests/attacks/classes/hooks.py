"""IPython hooks and transformers"""

from ..attack import Attack

POINTS = """
def points_of(source):
    found = re.search(r'graded\\("[^"]+", points=([0-9.]+)\\)', source)
    return float(found[1]) if found else None

"""

ATTACKS = [
    Attack(
        "transformer-pass",
        "Lets a transformer turn every later cell into `pass`: no output, no error.",
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])",
    ),
    Attack(
        "transformer-score",
        "Lets a transformer replace each check by its points.",
        POINTS
        + """
def only_points(lines):
    points = points_of("".join(lines))
    return [f"{points}\\n"] if points else lines

get_ipython().input_transformers_post.append(only_points)""",
    ),
    Attack(
        "ast-transformer",
        "Rewrites the last line of each check in its syntax tree.",
        """
import ast

class Generous(ast.NodeTransformer):
    def visit_Module(self, node):
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "graded":
                points = float(part.keywords[0].value.value)
                node.body[-1] = ast.copy_location(ast.Expr(ast.Constant(points)), node.body[-1])
        return ast.fix_missing_locations(node)

get_ipython().ast_transformers.append(Generous())""",
    ),
    Attack(
        "pre-run-hook",
        "Publishes a result of its own before each check is run; the first one counted.",
        POINTS
        + """
def publish(info):
    points = points_of(info.raw_cell)
    if points:
        get_ipython().displayhook.session  # the kernel's, where there is one
        hook = get_ipython().displayhook
        hook.session.send(hook.pub_socket, "execute_result",
            {"execution_count": 1, "data": {"text/plain": str(points)}, "metadata": {}}, parent=hook.parent_header)

get_ipython().events.register("pre_run_cell", publish)""",
    ),
    Attack(
        "post-run-hook",
        "Changes the result object of each check after it ran.",
        POINTS
        + """
def improve(result):
    points = points_of(result.info.raw_cell)
    if points:
        result.result, result.error_in_exec, result.error_before_exec = points, None, None
        get_ipython().user_ns["score"] = points

get_ipython().events.register("post_run_cell", improve)""",
    ),
    Attack(
        "displayhook",
        "Replaces the display hook: whatever a check ends with, 6.0 is shown.",
        """
hook = get_ipython().displayhook
compute = type(hook).compute_format_data
type(hook).compute_format_data = lambda self, result: compute(self, 6.0 if isinstance(result, float) else result)""",
    ),
    Attack(
        "formatter",
        "Registers a formatter that writes every float as 6.0.",
        """
plain = get_ipython().display_formatter.formatters["text/plain"]
plain.for_type(float, lambda value, printer, cycle: printer.text("4.0"))""",
    ),
    Attack(
        "run-cell",
        "Replaces the shell's run_cell, so that checks end at once with their points.",
        POINTS
        + """
shell = type(get_ipython())
old, old_async = shell.run_cell, shell.run_cell_async

def replaced(source):
    points = points_of(source)
    return f"{points}" if points else source

shell.run_cell = lambda self, raw_cell, *a, **k: old(self, replaced(raw_cell), *a, **k)

async def run_cell_async(self, raw_cell, *a, **k):
    k.pop("transformed_cell", None), k.pop("preprocessing_exc_tuple", None)
    source = replaced(raw_cell)
    return await old_async(self, source, *a, transformed_cell=self.transform_cell(source), **k)

shell.run_cell_async = run_cell_async""",
    ),
    Attack(
        "swallowed-errors",
        "Breaks the checks' import and swallows the error: no output was full points.",
        """
get_ipython().set_custom_exc((BaseException,), lambda *_, **__: [])
get_ipython().showtraceback = get_ipython()._showtraceback = lambda *_, **__: None
sys.modules["helpers.checks"] = None""",
    ),
]
