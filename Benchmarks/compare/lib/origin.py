"""The origin that every gateway shares: nginx on the load core with canned answers."""

import os
import subprocess

from . import client, documents, machine, real
from .process import Server, wait_until

CERTIFICATE = "origin.pem"
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
        listen 127.0.0.1:{tls_port} ssl;
        listen 127.0.0.1:{tls_http2_port} ssl http2;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        location = /pass/small {{ return 200 '{small}'; }}
        location /part/ {{ return 200 '{small}'; }}
        location = /typed {{
            if ($http_authorization != "Bearer {bearer}") {{ return 401; }}
            return 200 '{small}';
        }}
        location = /token {{
            return 200 '{{"access_token":"{bearer}","token_type":"Bearer","expires_in":86400}}';
        }}
        location = /v1/traces {{ return 200 '{{}}'; }}
        location = /hit {{
            add_header Cache-Control max-age=86400;
            return 200 '{kilo}';
        }}
        location /list/ {{ root {folder}/documents; }}
        location /real/ {{ root {folder}/documents; }}
    }}
}}
"""


def nginx_user():
    """Debian's nginx drops to www-data when started as root, and then cannot read the run's private folder."""
    return "user root root;" if os.geteuid() == 0 else ""


def make_certificate(certificate, key):
    """Signed by itself, for 127.0.0.1."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=origin", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Origin:
    def __init__(self, folder, real_documents=None):
        self.port = machine.free_port()
        # HTTP/2 in cleartext, by prior knowledge.
        self.http2_port = machine.free_port()
        self.tls_port = machine.free_port()
        self.tls_http2_port = machine.free_port()
        self.certificate = folder / CERTIFICATE
        make_certificate(self.certificate, folder / "origin.key")
        lists = folder / "documents" / "list"
        lists.mkdir(parents=True)
        self.documents = {name: documents.listing(size) for name, size in documents.LIST_BYTES.items()}
        for name, body in self.documents.items():
            (lists / name).write_bytes(body)
        reals = folder / "documents" / "real"
        reals.mkdir()
        for name, body in real.read(real_documents).items():
            self.documents[name] = body
            (reals / name).write_bytes(body)
        config = folder / "origin.conf"
        config.write_text(
            CONFIG.format(
                user=nginx_user(),
                folder=folder,
                port=self.port,
                http2_port=self.http2_port,
                tls_port=self.tls_port,
                tls_http2_port=self.tls_http2_port,
                certificate=self.certificate,
                key=folder / "origin.key",
                small=documents.SMALL.decode(),
                kilo=documents.KILO.decode(),
                bearer=BEARER,
            )
        )
        command = ["nginx", "-p", str(folder), "-c", str(config), "-e", "stderr"]
        self.server = Server("origin", command, {machine.LOAD_CORE}, folder / "origin.log")

    def port_for(self, gateway):
        """Where `gateway` asks."""
        if gateway.asks_tls:
            return self.tls_http2_port if gateway.asks_http2 else self.tls_port
        return self.http2_port if gateway.asks_http2 else self.port

    def __enter__(self):
        try:
            wait_until(lambda: client.get(self.port, "/pass/small") is not None, self.server)
        except BaseException:
            self.server.end()
            raise
        return self

    def __exit__(self, *_):
        self.server.end()
