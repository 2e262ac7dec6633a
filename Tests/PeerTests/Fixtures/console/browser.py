"""A headless Chromium, driven by the DevTools protocol. Everything that it says of errors is kept."""

import asyncio
import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile

import websockets

KEYS = {
    "Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), "ArrowLeft": (37, ""), "ArrowRight": (39, ""),
    "/": (191, "/"), " ": (32, " "),
}
CTRL, SHIFT = 2, 8

# Before anything of the page runs: what its policy refused.
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) =>
    window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


class Failed(Exception):
    """Something was not as it should be."""


class Browser:
    """A process with a profile of its own, which goes with it."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="console-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.address = self._address()

    def _address(self):
        for line in self.process.stderr:
            if "DevTools listening on " in line:
                return line.split("DevTools listening on ")[1].strip()
        raise Failed("the browser did not start")

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Tab:
    """One tab. Requests are answered in any order, and events come between."""

    def __init__(self, socket):
        self.socket = socket
        self.numbers = itertools.count(1)
        self.waiting = {}
        self.session = None
        self.errors = []
        self.requests = []
        self.answers = []
        self.failures_expected = False
        self.reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, address):
        tab = cls(await websockets.connect(address, max_size=None))
        target = await tab.send("Target.createTarget", url="about:blank")
        attached = await tab.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        tab.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            await tab.send(domain + ".enable")
        await tab.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        return tab

    async def close(self):
        self.reader.cancel()
        await self.socket.close()

    async def send(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps(message))
        return await asyncio.wait_for(self.waiting[number], 60)

    async def _read(self):
        async for text in self.socket:
            message = json.loads(text)
            if "id" not in message:
                self._event(message["method"], message.get("params", {}))
                continue
            future = self.waiting.pop(message["id"])
            if "error" in message:
                future.set_exception(Failed(message["error"]["message"]))
            else:
                future.set_result(message["result"])

    def _event(self, method, told):
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.errors.append("console: " + " ".join(str(one.get("value")) for one in told["args"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            entry = told["entry"]
            # A refusal that a check asks for is logged like any other.
            if entry["source"] == "network" and self.failures_expected:
                return
            self.errors.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Network.responseReceived":
            self.answers.append((told["response"]["url"], told["response"]["status"]))

    # What a person does

    async def go(self, address):
        await self.send("Page.navigate", url=address)

    async def run(self, script):
        """The value of an expression, or of what it promises."""
        told = await self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
                               userGesture=True)
        if "exceptionDetails" in told:
            details = told["exceptionDetails"]
            raise Failed(details.get("exception", {}).get("description") or details["text"])
        return told["result"].get("value")

    async def until(self, script, what, seconds=20):
        """Waits until an expression is true; returns its value."""
        end = asyncio.get_running_loop().time() + seconds
        while True:
            try:
                value = await self.run(f"((found) => found instanceof Node || found)({script})")
            except Failed:
                # The page may be between two documents.
                value = None
            if value:
                return value
            if asyncio.get_running_loop().time() > end:
                text = await self.run("document.body.innerText.slice(0, 600)")
                raise Failed(f"{what}: not within {seconds} s; the page shows: {text!r}")
            await asyncio.sleep(0.05)

    async def press(self, key, modifiers=0):
        code, text = KEYS[key]
        told = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        if modifiers & CTRL:
            text = ""
        await self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **told)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **told)

    async def type(self, text):
        await self.send("Input.insertText", text=text)

    async def look(self, width, scheme, height=900):
        """Another width of the window, another scheme of colours."""
        await self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                        mobile=width < 600)
        await self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    async def picture(self, path, whole=True):
        told = await self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(told["data"]))

    async def unnamed(self):
        """Controls that the browser has no name for."""
        roles = {"button", "link", "textbox", "searchbox", "checkbox", "combobox", "spinbutton", "listbox", "image",
                 "dialog", "Date", "DateTime", "region", "table", "DisclosureTriangle", "navigation"}
        tree = await self.send("Accessibility.getFullAXTree")
        return [node["role"]["value"] for node in tree["nodes"]
                if not node.get("ignored") and node.get("role", {}).get("value") in roles
                and not node.get("name", {}).get("value", "").strip()]
