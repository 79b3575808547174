"""Sphinx's settings for the site; what depends on the build comes as overrides from `autograder.site.build`."""

from pathlib import Path

from autograder.site.reference import readable

project = "bow2lora"
author = "The bow2lora authors"
copyright = f"{author}. Code: MIT. Text and figures: CC BY 4.0"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
root_doc = "index"
exclude_patterns = ["_static"]

nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, dict] = {}  # they would come from elsewhere
nb_output_stderr = "remove"
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_dmath_double_inline = True
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type"]

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
add_module_names = False
maximum_signature_line_length = 100
python_use_unqualified_type_names = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_theme_options: dict[str, list] = {"footer_icons": []}
mathjax_path = "mathjax/tex-svg.js"  # brought by autograder.site.build


def setup(app) -> None:
    app.connect("autodoc-process-docstring", readable)
