"""nghttpx, the proxy of nghttp2: HTTP/2 for clients, HTTP/1.1 towards the origin."""

import shutil
import subprocess

from ..origin import BEARER
from .gateway import Gateway


class NGHTTPX(Gateway):
    name = "nghttpx"
    # It is here for what it is best at.
    scenarios = {"h2-44"}

    def missing(self):
        return None if shutil.which("nghttpx") else "nghttpx is not installed"

    def configure(self, folder, port, origin_port, workers):
        config = folder / "nghttpx.conf"
        config.write_text("")
        return [
            "nghttpx",
            f"--conf={config}",
            f"--frontend=127.0.0.1,{port};no-tls",
            f"--backend=127.0.0.1,{origin_port}",
            f"--add-request-header=Authorization: Bearer {BEARER}",
            f"--workers={workers}",
            "--single-process",
            "--backend-connections-per-frontend=512",
            "--accesslog-file=/dev/null",
            "--log-level=ERROR",
        ]

    def version(self):
        return subprocess.run(["nghttpx", "--version"], capture_output=True, text=True, check=True).stdout.strip()
