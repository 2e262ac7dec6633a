"""nginx with njs: the array is cut out of the parsed body and printed again, the chunks being joined once."""

from .nginx import Nginx
from .nginx_lua import MODULES

SCRIPT = """
let chunks = [];
function head(r) { delete r.headersOut["Content-Length"]; }
function body(r, data, flags) {
    chunks.push(data);
    if (flags.last) { r.sendBuffer(JSON.stringify(JSON.parse(chunks.join("")).values), flags); }
}
export default { head, body };
"""


class NginxNJS(Nginx):
    name = "nginx+njs"
    extracts = True
    scenarios = ["extract-9k", "extract-9m"]
    modules = f"load_module {MODULES}/ngx_http_js_module.so;"
    listing = "js_header_filter cut.head;\n            js_body_filter cut.body;"

    def missing(self):
        if not (MODULES / "ngx_http_js_module.so").exists():
            return "libnginx-mod-http-js is not installed"
        return super().missing()

    def configure(self, folder, port, origin_port, workers):
        script = folder / "cut.js"
        script.write_text(SCRIPT)
        self.http = f"js_import cut from {script};"
        return super().configure(folder, port, origin_port, workers)
