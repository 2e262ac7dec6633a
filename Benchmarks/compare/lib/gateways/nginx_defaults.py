"""nginx as above, with the buffers that it has where nobody sets any: what does not fit goes through a temporary file."""

from .nginx import Nginx


class NginxDefaults(Nginx):
    name = "nginx-defaults"
    scenarios = ["extract-9k", "extract-9m"]
    buffers = ""
