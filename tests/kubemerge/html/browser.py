"""A headless Chromium, driven through its own driver over HTTP: open a page, press keys, read its state."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import threading
import time
import urllib.request
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import URLError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DRIVERS = ("chromedriver", "chromium-driver", "/usr/lib/chromium-browser/chromedriver")
SWITCHES = (
    "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking "
    "disable-component-update disable-sync disable-dev-shm-usage hide-scrollbars window-size=1400,1000 "
    "force-prefers-reduced-motion"
)
"""The last one, because a click on a page that still glides to where the last one led hits something else."""
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Space": " ",
    "Left": "\ue012",
    "Up": "\ue013",
    "Right": "\ue014",
    "Down": "\ue015",
}
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def missing() -> str:
    """The reason why no browser is available, or an empty string."""
    if _first(BROWSERS) is None:
        return f"no browser: none of {', '.join(BROWSERS)} is installed"
    return "" if _first(DRIVERS) else f"no driver: none of {', '.join(DRIVERS)} is installed"


def _first(names: tuple[str, ...]) -> str | None:
    return next((found for name in names if (found := shutil.which(name))), None)


class Browser:
    """One window."""

    def __init__(self, address: str, profile: Path) -> None:
        self._address = address
        arguments = [f"--{switch}" for switch in SWITCHES.split()] + [f"--user-data-dir={profile}"]
        options = {"binary": _first(BROWSERS), "args": arguments}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        self._session = f"/session/{self._ask('/session', {'capabilities': wanted})['sessionId']}"

    def _ask(self, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._address + path, data, headers, method=method)
        with _DIRECT.open(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, page: Path | str) -> None:
        """Load a page from a file, or from an address."""
        self._ask(f"{self._session}/url", {"url": page if isinstance(page, str) else page.as_uri()})

    def run(self, script: str) -> Any:
        """Run a function with this body in the page, and return its result."""
        return self._ask(f"{self._session}/execute/sync", {"script": script, "args": []})

    def until(self, script: str) -> Any:
        """Run the script until its result is true, and return that."""
        for _ in range(100):
            if found := self.run(script):
                return found
            time.sleep(0.05)
        raise AssertionError(f"it never became true: {script}")

    def press(self, *keys: str) -> None:
        """Press keys one after the other: names of keys, or text to type."""
        text = [character for key in keys for character in KEYS.get(key, key)]
        actions = [{"type": kind, "value": one} for one in text for kind in ("keyDown", "keyUp")]
        body = {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}
        self._ask(f"{self._session}/actions", body)

    def click(self, selector: str) -> None:
        """Click at the element's position."""
        body = {"using": "css selector", "value": selector}
        found = self._ask(f"{self._session}/element", body)
        self._ask(f"{self._session}/element/{next(iter(found.values()))}/click", {})

    def command(self, name: str, **values: Any) -> Any:
        """A command of the DevTools."""
        return self._ask(f"{self._session}/goog/cdp/execute", {"cmd": name, "params": values})

    def look(self, *, width: int = 1400, height: int = 1000, scheme: str = "light", media: str = "screen") -> None:
        """Set the size of the window, and whether it is light or dark, or paper."""
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", media=media, features=features)

    def complaints(self) -> list[str]:
        """Messages on the console: errors, and violations of the content security policy."""
        return [entry["message"] for entry in self._ask(f"{self._session}/se/log", {"type": "browser"})]

    def picture(self, *, whole: bool = False) -> bytes:
        """The page as PNG."""
        found = self.command("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(found["data"])

    def printed(self) -> bytes:
        """The page as PDF."""
        found = self.command("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(found["data"])

    def close(self) -> None:
        """End the session, and the browser with it."""
        self._ask(self._session, method="DELETE")


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser that has never been used before."""
    driver = _first(DRIVERS)
    assert driver is not None
    with subprocess.Popen(
        [driver, "--port=0", f"--log-path={profile.parent / 'driver.log'}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            browser = Browser(f"http://127.0.0.1:{_port(process)}", profile)
            try:
                yield browser
            finally:
                browser.close()
        finally:
            process.terminate()


class Served(NamedTuple):
    """A served folder, and the requested paths."""

    address: str
    asked: list[str]


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """A folder behind a static server, for programs of this machine."""
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def guess_type(self, path: Any) -> str:
            return "text/javascript" if str(path).endswith(".mjs") else super().guess_type(path)

        def log_message(self, *_: object) -> None:
            asked.append(self.path)

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Served(f"http://127.0.0.1:{server.server_port}", asked)
        finally:
            server.shutdown()


def _port(process: subprocess.Popen[str]) -> int:
    """The port that the driver has chosen and printed."""
    assert process.stdout is not None
    for line in process.stdout:
        if "successfully on port" in line:
            return int(line.rstrip().rstrip(".").rpartition(" ")[2])
    raise URLError("the driver has not started")
