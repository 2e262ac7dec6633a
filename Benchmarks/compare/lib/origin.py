"""The origin that every gateway shares: nginx on the load core with canned answers."""

import os

from . import client, documents, machine
from .process import Server, wait_until

BEARER = "a-token-that-nobody-guesses-0123456789abcdef"

CONFIG = """
{user}
daemon off;
worker_processes 1;
pid {folder}/origin.pid;
error_log stderr error;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    open_file_cache max=16;
    default_type application/json;
    client_body_temp_path {folder}/origin-body;
    proxy_temp_path {folder}/origin-proxy;
    fastcgi_temp_path {folder}/origin-fastcgi;
    uwsgi_temp_path {folder}/origin-uwsgi;
    scgi_temp_path {folder}/origin-scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        listen 127.0.0.1:{http2_port} http2;
        location = /pass/small {{ return 200 '{small}'; }}
        location = /typed {{
            if ($http_authorization != "Bearer {bearer}") {{ return 401; }}
            return 200 '{small}';
        }}
        location = /hit {{
            add_header Cache-Control max-age=86400;
            return 200 '{kilo}';
        }}
        location /list/ {{ root {folder}/documents; }}
    }}
}}
"""


def nginx_user():
    """Debian's nginx drops to www-data when started as root, and then cannot read the run's private folder."""
    return "user root root;" if os.geteuid() == 0 else ""


class Origin:
    def __init__(self, folder):
        self.port = machine.free_port()
        # HTTP/2 in cleartext, by prior knowledge.
        self.http2_port = machine.free_port()
        lists = folder / "documents" / "list"
        lists.mkdir(parents=True)
        self.documents = {name: documents.listing(size) for name, size in documents.LIST_BYTES.items()}
        for name, body in self.documents.items():
            (lists / name).write_bytes(body)
        config = folder / "origin.conf"
        config.write_text(
            CONFIG.format(
                user=nginx_user(),
                folder=folder,
                port=self.port,
                http2_port=self.http2_port,
                small=documents.SMALL.decode(),
                kilo=documents.KILO.decode(),
                bearer=BEARER,
            )
        )
        command = ["nginx", "-p", str(folder), "-c", str(config), "-e", "stderr"]
        self.server = Server("origin", command, machine.LOAD_CORE, folder / "origin.log")

    def __enter__(self):
        try:
            wait_until(lambda: client.get(self.port, "/pass/small") is not None, self.server)
        except BaseException:
            self.server.end()
            raise
        return self

    def __exit__(self, *_):
        self.server.end()
