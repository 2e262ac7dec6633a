"""nginx: a pool of upstream connections, no access log."""

import shutil
import subprocess

from .. import machine
from ..origin import BEARER, nginx_user
from .gateway import Gateway

CONFIG = """
{modules}
{user}
daemon off;
worker_processes {workers};
worker_rlimit_nofile 16384;
pid {folder}/nginx.pid;
error_log stderr error;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    keepalive_timeout 10m;
    tcp_nodelay on;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    proxy_cache_path {folder}/cache keys_zone=hits:10m max_size=64m use_temp_path=off;
    {http}
    upstream origin {{
        server 127.0.0.1:{origin_port};
        keepalive 512;
        keepalive_requests 1000000000;
    }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        listen 127.0.0.1:{http2_port} http2 backlog=4096;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        {buffers}
        location /pass/ {{ proxy_pass http://origin; }}
        location /real/ {{ proxy_pass http://origin; }}
        location /part/ {{ proxy_pass http://origin; }}
        {whole}
        location = /hit {{
            proxy_cache hits;
            proxy_pass http://origin;
        }}
        location = /typed {{
            proxy_set_header Connection "";
            proxy_set_header Authorization "Bearer {bearer}";
            proxy_pass http://origin;
        }}
        location /list/ {{
            {listing}
            proxy_pass http://origin;
        }}
    }}
}}
"""


# What a careful user sets for answers of megabytes: the defaults hold 32 KiB, and the rest goes through a file.
BUFFERS = """
        proxy_buffers 16 32k;
        proxy_buffer_size 16k;
        proxy_busy_buffers_size 64k;
        proxy_max_temp_file_size 0;
"""


class Nginx(Gateway):
    name = "nginx"
    buffers = BUFFERS
    # What a build with a scripting language adds to the configuration.
    modules = ""
    http = ""
    listing = ""
    whole = ""

    def __init__(self, options):
        super().__init__(options)
        # In cleartext this nginx speaks HTTP/2 on ports of its own.
        self.http2_ports = {}

    def http2_port(self, port):
        if port not in self.http2_ports:
            self.http2_ports[port] = machine.free_port()
        return self.http2_ports[port]

    def missing(self):
        return None if shutil.which("nginx") else "nginx is not installed"

    def configure(self, folder, port, origin_port, workers):
        config = folder / "nginx.conf"
        config.write_text(
            CONFIG.format(
                modules=self.modules,
                http=self.http,
                listing=self.listing,
                whole=self.whole,
                buffers=self.buffers,
                user=nginx_user(),
                folder=folder,
                port=port,
                http2_port=self.http2_port(port),
                origin_port=origin_port,
                workers=workers,
                bearer=BEARER,
            )
        )
        return ["nginx", "-p", str(folder), "-c", str(config), "-e", "stderr"]

    def version(self):
        return subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=True).stderr.strip()
