"""Sluice again, with an origin that speaks HTTP/2."""

from .sluice import Sluice


class SluiceH2C(Sluice):
    name = "sluice-h2c"
    asks_http2 = True
    scenarios = {"pass-44", "typed-44", "busy-44"}
