"""Slides as one HTML file: 16:9, arrow keys, one printed page for each."""

from collections.abc import Iterable

from bcastcli.render import Terminal
from bcastcli.render.pages import ascii_page, markup
from bcastcli.render.picture import svg
from bcastcli.render.picture.marks import Drawing, Role, Text
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.slide import SLIDE

HEADING = 64.0
LAYOUT = """\
@page{size:1280px 720px;margin:0}
html,body{margin:0;background:#222}
section{display:none;width:100vw;height:100vh;align-items:center;justify-content:center}
section.shown{display:flex}
section svg{width:min(100vw,177.78vh);height:auto;max-height:100vh}
@media print{
html,body{background:none}
section{display:block;width:1280px;height:720px;break-after:page;overflow:hidden}
section:last-of-type{break-after:auto}
section svg{width:1280px;height:720px}
}"""
SCRIPT = """\
const slides = [...document.querySelectorAll('section')];
let at = Math.min(slides.length, Math.max(1, Number(location.hash.slice(1)) || 1)) - 1;
const show = to => {
  at = Math.min(slides.length - 1, Math.max(0, to));
  slides.forEach((slide, number) => slide.classList.toggle('shown', number === at));
  history.replaceState(null, '', '#' + (at + 1));
};
const steps = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, Enter: 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1};
addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in steps) show(at + steps[event.key]);
  else if (event.key === 'Home') show(0);
  else if (event.key === 'End') show(slides.length - 1);
  else return;
  event.preventDefault();
});
addEventListener('click', event => show(at + (event.clientX < innerWidth / 4 ? -1 : 1)));
show(at);"""


def heading(text: str, terminal: Terminal) -> str:
    """Return a slide that has a heading alone."""
    size = min(HEADING, HEADING * 34 / max(len(text), 1))
    mark = Text(SLIDE[0] / 2, SLIDE[1] / 2, text, size, Role.HEADING, anchor="middle")
    theme = THEMES[terminal.theme or "light"]
    return svg.document(Drawing((mark,), *SLIDE), theme, text, text)


def document(slides: Iterable[str], title: str) -> str:
    """Return slides, each an SVG, as one file; without a script they stand below each other."""
    sections = "\n".join(f"<section>\n{slide}</section>" for slide in slides)
    return ascii_page(
        "\n".join(
            (
                "<!DOCTYPE html>",
                '<html lang="en">',
                '<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width">',
                f"<title>{markup(title)}</title>",
                f"<style>\n{LAYOUT}\n</style>",
                "<noscript><style>section{display:flex}</style></noscript>",
                sections,
                f"<script>\n{SCRIPT}\n</script>",
                "</html>\n",
            )
        )
    )
