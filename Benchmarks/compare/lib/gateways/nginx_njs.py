"""nginx with njs: the array is cut out of the parsed body and printed again, the chunks being joined once; parts are
subrequests, whose values are parsed and printed again as well."""

from .nginx import Nginx
from .nginx_lua import MODULES

SCRIPT = """
let chunks = [];
function head(r) { delete r.headersOut["Content-Length"]; }
function body(r, data, flags) {
    chunks.push(data);
    if (flags.last) { r.sendBuffer(JSON.stringify(JSON.parse(chunks.join("")).values), flags); }
}
async function whole(r) {
    const names = ["a", "b", "c"];
    const parts = await Promise.all(names.map(name => r.subrequest("/part/" + name)));
    const value = {};
    parts.forEach((part, index) => { value[names[index]] = JSON.parse(part.responseText); });
    r.headersOut["Content-Type"] = "application/json";
    r.return(200, JSON.stringify(value));
}
export default { head, body, whole };
"""


class NginxNJS(Nginx):
    name = "nginx+njs"
    extracts = True
    composes = True
    scenarios = ["extract-9k", "extract-9m", "parts-3", "parts-apart"]
    modules = f"load_module {MODULES}/ngx_http_js_module.so;"
    whole = "location = /whole { js_content cut.whole; }"
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
