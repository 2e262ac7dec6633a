"""Sluice again, with an origin behind TLS: over HTTP/1.1, and over HTTP/2."""

from .sluice import Sluice


class SluiceTLS(Sluice):
    name = "sluice-tls"
    asks_tls = True
    scenarios = {"pass-44", "typed-44", "busy-44"}


class SluiceTLSH2(SluiceTLS):
    name = "sluice-tls-h2"
    asks_http2 = True
