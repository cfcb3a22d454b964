"""A slide as a PNG image, by a converter that the machine has."""

import shutil
import subprocess

WIDTH = 1920
MISSING = "PNG needs rsvg-convert (package librsvg2-bin) or CairoSVG (pip install cairosvg)"


class ConverterError(Exception):
    """There is no converter, or it failed: one sentence."""


def converted(svg: str) -> bytes:
    """Return an SVG file as a PNG file; ConverterError if nothing here can do it."""
    command = shutil.which("rsvg-convert")
    if command:
        ran = subprocess.run(  # noqa: S603  # a program by its path, with fixed arguments
            [command, "--width", str(WIDTH), "--keep-aspect-ratio"],
            input=svg.encode(),
            capture_output=True,
            check=False,
        )
        if ran.returncode:
            reason = ran.stderr.decode(errors="replace").strip().splitlines()
            raise ConverterError(f"rsvg-convert failed: {reason[-1] if reason else 'no reason'}")
        return ran.stdout
    try:
        import cairosvg  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ConverterError(MISSING) from None
    image: bytes = cairosvg.svg2png(bytestring=svg.encode(), output_width=WIDTH)
    return image
