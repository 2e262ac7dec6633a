"""Sluice again, with traces: one request of a hundred, and each."""

from .sluice import Sluice

TOP = "trace: {{endpoint: 'http://127.0.0.1:{origin_port}', sample: {sample}}}"


class SluiceTraced(Sluice):
    name = "sluice-traced"
    scenarios = {"pass-44", "typed-44"}
    sample = "1%"

    def credential(self, folder, origin_port):
        values = super().credential(folder, origin_port)
        return {**values, "top": TOP.format(origin_port=origin_port, sample=self.sample)}


class SluiceTracedAll(SluiceTraced):
    name = "sluice-traced-all"
    sample = "100%"
