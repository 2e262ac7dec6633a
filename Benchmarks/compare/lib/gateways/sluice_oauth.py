"""Sluice again, with a token that it gets by OAuth 2.0 in the place of a static one."""

from .sluice import Sluice

TOP = """
state: {folder}/state
credentials:
  fetched:
    oauth2:
      token-url: http://127.0.0.1:{origin_port}/token
      client-id: bench
      client-secret: {{value: bench}}
      grant: client-credentials
"""


class SluiceOAuth(Sluice):
    name = "sluice-oauth"
    scenarios = {"pass-44", "typed-44"}

    def credential(self, folder, origin_port):
        return {"top": TOP.format(folder=folder, origin_port=origin_port), "credential": "credential: fetched"}
