"""Sluice: the list cut out and every value checked."""

import os
import subprocess

from .. import real
from ..origin import BEARER, CERTIFICATE
from .gateway import Gateway

CONFIG = """
{top}
listen: [127.0.0.1:{port}]
loops: {loops}
log: {{level: warning}}

upstreams:
  origin:
    url: {scheme}://127.0.0.1:{origin_port}
    protocol: {protocol}
    {tls}
    {credential}
    pool: {{connections: 512, idle-max: 512}}

types:
  Small:
    id: Int
    name: String
    size: Int
    ripe: Bool
  Fruit:
    id: Int
    name: String
    size: Int
    color: red | green | yellow
    ripe: Bool
    weight: Double
    tags: [String]
{real_types}

bindings:
  ANY /pass/**:
    to: origin /pass/**
    bearer: false
  GET /typed:
    to: origin /typed
    value: Small
  GET /hit:
    to: origin /hit
    bearer: false
    cache: {{}}
  GET /part/{{name}}:
    to: origin /part/{{name}}
    bearer: false
    params: {{name: String}}
    value: Small
  GET /whole:
    parts: {{a: GET /part/a, b: GET /part/b, c: GET /part/c}}
    value: {{a: Small from a, b: Small from b, c: Small from c}}
  GET /list/9k:
    to: origin /list/9k
    parent: values
    value: [Fruit]
  GET /list/9m:
    to: origin /list/9m
    parent: values
    value: [Fruit]
{real_bindings}
"""


class Sluice(Gateway):
    name = "sluice"
    extracts = True
    composes = True

    @property
    def binary(self):
        return self.options.sluice

    def missing(self):
        if os.access(self.binary, os.X_OK):
            return None
        return f"{self.binary} is not built; `scripts/build` builds it"

    def configure(self, folder, port, origin_port, workers):
        config = folder / "sluice.yaml"
        # The origin's certificate lies in the folder of the run, in which every gateway has its own.
        certificate = folder.parent / CERTIFICATE
        types, bindings = real.page(self.options.documents)
        values = {
            "scheme": "https" if self.asks_tls else "http",
            "protocol": ("h2" if self.asks_tls else "h2c") if self.asks_http2 else "h1",
            "tls": f"tls: {{ca: {certificate}}}" if self.asks_tls else "",
            "real_types": types,
            "real_bindings": bindings,
            **self.credential(folder, origin_port),
        }
        config.write_text(CONFIG.format(port=port, origin_port=origin_port, loops=workers, **values))
        return self.vectors() + [str(self.binary), "serve", "--config", str(config)]

    def vectors(self):
        """What stands before the command where vector instructions are chosen."""
        return ["env", f"SLUICE_VECTORS={self.options.vectors}"] if self.options.vectors else []

    def credential(self, folder, origin_port):
        """What the origin is shown: further lines of the page, and one of the upstream."""
        return {"top": "", "credential": f"bearer: {{value: {BEARER}}}"}

    def version(self):
        command = self.vectors() + [self.binary, "version"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
