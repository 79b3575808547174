"""What the theme and Sphinx leave out for those who use a keyboard or a screen reader, put into their pages."""

import re

SIGNATURE = re.compile(r"(?s)<dl>\s*(<dd>.*?</dd>)\s*</dl>")  # one parameter a line: values without terms
DRAWING = re.compile(r'<p>(?=<img [^>]*\.svg"[^>]*>\s*</p>)')  # on a phone it scrolls: its words stay readable
CHANGES = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages of the site">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    "<pre>": '<pre tabindex="0">',  # what scrolls can be reached with the keyboard
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div class="math notranslate nohighlight">': '<div tabindex="0" class="math notranslate nohighlight">',
}


def accessible(page: str) -> str:
    """Return an HTML page with levels for its headings, names for its landmarks, and regions that can be focused."""
    for found, better in CHANGES.items():
        page = page.replace(found, better)
    page = DRAWING.sub('<p class="drawing" tabindex="0">', page)
    return SIGNATURE.sub(_as_list, page)


def _as_list(found: re.Match) -> str:
    items = found[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f'<ul class="parameters">{items}</ul>'
