"""A page of another origin, which gets nothing of the console."""

import asyncio
import http.server
import threading

from browser import Failed, Tab

PAGE = """<!doctype html><title>stranger</title><script>
const base = new URLSearchParams(location.search).get('base');
const refused = (work) => work.then(() => false, () => true);
const loaded = (tag, name, path) => new Promise((done) => {
    const element = document.createElement(tag);
    element.onload = () => done(true);
    element.onerror = () => done(false);
    element[name] = base + path;
    document.head.append(element);
});
window.outcome = Promise.all([
    refused(fetch(`${base}/api/bindings`)),
    refused(fetch(`${base}/api/bindings`, { headers: { authorization: 'Bearer x' } })),
    refused(fetch(`${base}/api/reload`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })),
    refused(fetch(`${base}/console.js`)),
    loaded('script', 'src', '/console.js').then((came) => !came),
    loaded('img', 'src', '/icon.svg').then((came) => !came),
]);
fetch(`${base}/session`, { method: 'POST', mode: 'no-cors', body: '{"link": "x"}' }).catch(() => {});
const frame = document.createElement('iframe');
frame.src = base + '/';
document.documentElement.append(frame);
</script>"""
ASKED = ("an API path", "an API path with a key", "a reload", "a file", "a script", "a picture")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


async def visit(browser, base):
    """Has a page elsewhere ask the console for everything that a page can."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tab = await Tab.open(browser.address)
    try:
        await tab.go(f"http://127.0.0.1:{server.server_address[1]}/?base={base}")
        await tab.until("window.outcome", "the stranger's page")
        outcome = await tab.run("window.outcome")
        got = [name for name, refused in zip(ASKED, outcome, strict=True) if not refused]
        if got:
            raise Failed("a page elsewhere gets " + ", ".join(got))
        await framed(tab)
        answers = [(url, status) for url, status in tab.answers if url.startswith((base + "/api", base + "/session"))]
        if not answers or any(status < 400 for _, status in answers):
            raise Failed(f"a page elsewhere is answered: {answers}")
    finally:
        await tab.close()
        server.shutdown()


async def framed(tab):
    """The console does not let itself be shown inside of another page."""
    for _ in range(100):
        if any("frame-ancestors" in error or "Refused to frame" in error for error in tab.errors):
            return
        await asyncio.sleep(0.05)
    raise Failed("a page elsewhere may frame the console")
