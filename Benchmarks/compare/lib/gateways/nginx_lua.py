"""nginx with Lua and cjson: the array is cut out of the decoded body and encoded again.

Lossy: an empty array comes out as an object, and numbers keep 14 digits.
"""

from pathlib import Path

from .nginx import Nginx

MODULES = Path("/usr/lib/nginx/modules")


class NginxLua(Nginx):
    name = "nginx+lua"
    extracts = True
    scenarios = ["extract-9k", "extract-9m"]
    modules = f"load_module {MODULES}/ndk_http_module.so;\nload_module {MODULES}/ngx_http_lua_module.so;"
    http = "init_by_lua_block { cjson = require 'cjson' }"
    listing = """
            header_filter_by_lua_block { ngx.header.content_length = nil }
            body_filter_by_lua_block {
                local context = ngx.ctx
                local chunks = context.chunks
                if chunks == nil then
                    chunks = {}
                    context.chunks = chunks
                end
                chunks[#chunks + 1] = ngx.arg[1]
                if ngx.arg[2] then
                    ngx.arg[1] = cjson.encode(cjson.decode(table.concat(chunks)).values)
                else
                    ngx.arg[1] = nil
                end
            }
    """

    def missing(self):
        needed = [MODULES / "ngx_http_lua_module.so", Path("/usr/lib/x86_64-linux-gnu/lua/5.1/cjson.so")]
        if not all(path.exists() for path in needed):
            return "libnginx-mod-http-lua and lua-cjson are not installed"
        return super().missing()
