"""A headless Chromium, driven over a pipe with the DevTools protocol."""
import base64
import json
import os
import shutil
import subprocess
import tempfile


def find_browser():
    names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if (path := shutil.which(name))), None)


class Browser:
    """One page. Use it in a with statement."""

    def __init__(self, width=1280, height=1100, dark=False):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4. Some shells cannot redirect
        # descriptors above 9, so this needs bash.
        command = ('exec 3<&%d 4>&%d; exec "$@"' % (to_read, to_write))
        self.process = subprocess.Popen(
            ["bash", "-c", command, "browser", find_browser(), "--headless", "--no-sandbox",
             "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}",
             "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.session, self.problems = 0, b"", None, []
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.send("Page.enable")
        self.send("Runtime.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.profile.cleanup()

    def _receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.from_browser, 1 << 16)
            if not more:
                raise RuntimeError("the browser ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def _record_exception(self, message):
        if message.get("method") == "Runtime.exceptionThrown":
            self.problems.append(message["params"]["exceptionDetails"]["text"])

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != self.number:
            self._record_exception(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, path):
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        while (message := self._receive()).get("method") != "Page.loadEventFired":
            self._record_exception(message)

    def run(self, code):
        """The value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=code, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def wheel(self, x, y, by):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by)

    def screenshot(self, path=None):
        shot = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(shot)
        return shot
