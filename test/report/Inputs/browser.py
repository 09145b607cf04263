"""A headless Chromium, driven over its debugging pipe: no port, no package.

    with Browser() as browser:
        page = browser.open(path, width=1280, height=900, dark=False)
        page.evaluate("document.title")

Errors that a page writes to the console, or throws, are in page.errors.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """The browser's program; None: there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="kplan-browser-", ignore_cleanup_errors=True)
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()

        def pipes():
            # The browser reads from 3 and writes to 4.
            high = [os.dup(fd) for fd in (commands, answers)]
            while min(high) < 10:
                high = [os.dup(fd) for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--hide-scrollbars", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.number = 0
        self.pages = {}
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.profile.cleanup()

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.from_browser, 1 << 20)
            if not got:
                raise EOFError("the browser has ended")
            self.buffer += got
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _hear(self, message):
        page = self.pages.get(message.get("sessionId"))
        if page:
            page.hear(message["method"], message.get("params", {}))

    def call(self, method, session=None, seconds=60, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        os.write(self.to_browser, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            message = self._read(deadline)
            if message.get("id") != self.number:
                self._hear(message)
            elif "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def wait(self, until, seconds=60):
        deadline = time.monotonic() + seconds
        while not until():
            self._hear(self._read(deadline))

    def open(self, path, width=1280, height=900, dark=False, scale=1, phone=False, script=True):
        return Page(self, pathlib.Path(path).resolve().as_uri(), width, height, dark, scale, phone, script)


class Page:
    def __init__(self, browser, url, width, height, dark, scale, phone, script):
        self.browser = browser
        self.errors = []
        self.loaded = False
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone)
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        if phone:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.requests = []
        self.call("Page.navigate", url=url)
        browser.wait(lambda: self.loaded)

    def hear(self, method, parameters):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """Its value; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def frame(self):
        """Until what has changed is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def key(self, key, text=None):
        if text is None and len(key) == 1:
            text = key
        down = {"type": "keyDown", "key": key}
        if text:
            down["text"] = text
        elif key == "Enter":
            down["text"] = "\r"
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.frame()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.frame()

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
