"""What a gateway has to tell about itself."""


class Gateway:
    """A gateway that listens on one loopback port and knows one origin.

    Every one of them serves `/pass/small` untouched, `/typed` with the bearer put in, `/part/a` to
    `/part/c`, and `/list/9k` and `/list/9m`.
    """

    name = ""
    # Whether `/list/…` answers with the array alone.
    extracts = False
    # Whether it answers `/whole` with what the origin says to `/part/a`, `/part/b` and `/part/c`, asked at once.
    composes = False
    # Whether it asks the origin over HTTP/2.
    asks_http2 = False
    # Whether it asks the origin over TLS.
    asks_tls = False
    # The scenarios it takes part in; None means all.
    scenarios = None

    def __init__(self, options):
        self.options = options

    def missing(self):
        """Why it cannot take part, in one line; None where it can."""
        raise NotImplementedError

    def configure(self, folder, port, origin_port, workers):
        """Writes the configuration into `folder`; returns the command that starts the gateway in the foreground."""
        raise NotImplementedError

    def http2_port(self, port):
        """Where HTTP/2 in cleartext is spoken, if not on the same port."""
        return port

    def version(self):
        raise NotImplementedError
