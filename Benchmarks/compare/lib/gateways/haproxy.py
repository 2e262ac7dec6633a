"""HAProxy: every upstream connection reused."""

import shutil
import subprocess

from ..origin import BEARER
from .gateway import Gateway

CONFIG = """
global
    nbthread {workers}
    maxconn 8000
defaults
    mode http
    timeout connect 5s
    timeout client 10m
    timeout server 60s
    timeout http-keep-alive 10m
    http-reuse always
cache small
    total-max-size 64
    max-object-size 100000
    max-age 86400
frontend local
    bind 127.0.0.1:{port} backlog 4096
    http-request set-header Authorization "Bearer {bearer}" if {{ path /typed }}
    http-request cache-use small if {{ path /hit }}
    http-response cache-store small if {{ res.hdr(Cache-Control) -m found }}
    default_backend origin
backend origin
    server origin 127.0.0.1:{origin_port} pool-max-conn 512
"""


class HAProxy(Gateway):
    name = "haproxy"

    def missing(self):
        return None if shutil.which("haproxy") else "haproxy is not installed"

    def configure(self, folder, port, origin_port, workers):
        config = folder / "haproxy.cfg"
        config.write_text(CONFIG.format(port=port, origin_port=origin_port, workers=workers, bearer=BEARER))
        return ["haproxy", "-db", "-f", str(config)]

    def version(self):
        output = subprocess.run(["haproxy", "-v"], capture_output=True, text=True, check=True).stdout
        return output.splitlines()[0]
