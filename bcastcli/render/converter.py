"""A slide as a PNG image or a page of PDF, by a converter that the machine has."""

import shutil
import subprocess

from bcastcli.render import Format

WIDTH = 1920
"""The pixels across an image."""
DPI = 96
"""Pixels of a slide to an inch of paper: 1280 by 720 is a page of 960 by 540 points."""
MISSING = "needs rsvg-convert (package librsvg2-bin) or CairoSVG (pip install cairosvg)"


class ConverterError(Exception):
    """There is no converter, or it failed: one sentence."""


def converted(svg: str, output: Format) -> bytes:
    """Return an SVG file as PNG or PDF; raise ConverterError where nothing here can do it."""
    is_image = output is Format.PNG
    command = shutil.which("rsvg-convert")
    if command:
        size = ("--width", str(WIDTH)) if is_image else ("--dpi-x", str(DPI), "--dpi-y", str(DPI))
        ran = subprocess.run(  # noqa: S603  # a program by its path, with fixed arguments
            [command, "--format", output.value, *size, "--keep-aspect-ratio"],
            input=svg.encode(),
            capture_output=True,
            check=False,
        )
        if ran.returncode:
            reason = ran.stderr.decode(errors="replace").strip().splitlines()
            raise ConverterError(f"rsvg-convert failed: {reason[-1] if reason else 'no reason'}")
        return ran.stdout
    try:
        import cairosvg
    except ImportError:
        raise ConverterError(f"{output.upper()} {MISSING}") from None
    given = svg.encode()
    file: bytes = (
        cairosvg.svg2png(bytestring=given, output_width=WIDTH)
        if is_image
        else cairosvg.svg2pdf(bytestring=given, dpi=DPI)
    )
    return file
