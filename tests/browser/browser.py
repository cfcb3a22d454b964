"""A headless Chromium, driven over a pipe by its own protocol."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# Nothing that it does by itself: it has a fresh profile and asks for no update.
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--hide-scrollbars", "--remote-debugging-pipe"),
]


class Browser:
    """One tab."""

    def __init__(self, commands: int, replies: int) -> None:
        self._commands = os.fdopen(commands, "wb", buffering=0)
        self._replies = os.fdopen(replies, "rb", buffering=0)
        self._buffer = b""
        self._number = 0
        self._session: dict[str, str] = {}
        self._events: list[dict[str, Any]] = []
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        attached = self.tell("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        self.tell("Page.enable")
        self.tell("Network.enable")

    def close(self) -> None:
        self._session = {}
        self.tell("Browser.close")
        self._commands.close()
        self._replies.close()

    def tell(self, method: str, **params: Any) -> dict[str, Any]:
        """Have a command done, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params, **self._session}
        self._commands.write(json.dumps(message).encode() + b"\0")
        while (reply := self._next()).get("id") != self._number:
            self._events.append(reply)
        assert "error" not in reply, reply
        result: dict[str, Any] = reply["result"]
        return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = self._replies.read(65536)
            assert piece, "Chromium has ended"
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        parsed: dict[str, Any] = json.loads(message)
        return parsed

    def open(self, page: Path, width: int = 1280, height: int = 720, *, dark: bool = False) -> None:
        """Load a file in a window of this size, and wait until nothing more is loaded."""
        self.tell(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", features=[scheme])
        self._events.clear()
        self.tell("Page.navigate", url=page.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self._events):
            self._events.append(self._next())

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        reply = self.tell("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    @property
    def requested(self) -> list[str]:
        """The addresses that were asked for since the page was opened."""
        sent = [e for e in self._events if e.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser with a profile of its own, ended afterwards."""
    assert CHROMIUM, "chromium is missing"
    its_commands, commands = os.pipe()
    replies, its_replies = os.pipe()
    # It reads commands from descriptor 3, and writes replies to 4.
    start = f'exec "$@" 3<&{its_commands} 4>&{its_replies}'
    process = subprocess.Popen(
        ["bash", "-c", start, "bash", CHROMIUM, *FLAGS, f"--user-data-dir={profile}"],
        pass_fds=(its_commands, its_replies),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(its_commands)
    os.close(its_replies)
    try:
        tab = Browser(commands, replies)
        yield tab
        tab.close()
        process.wait(timeout=60)  # until it has let go of its profile
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
