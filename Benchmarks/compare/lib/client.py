"""A small blocking HTTP/1.1 client: correct answers first, then whole downloads without copies."""

import http.client
import socket


def get(port, path):
    """One GET on a connection of its own: status and body, or None where nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


class Connection:
    """A kept-alive connection that reads answers and throws them away."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        self.socket.close()

    def request(self, port, path):
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())

    def drain(self, buffer):
        """Reads one answer into `buffer`, over and over; returns its status and body size on the wire."""
        head = b""
        while b"\r\n\r\n" not in head:
            count = self.socket.recv_into(buffer)
            if count == 0:
                raise ConnectionError("closed before a whole head")
            head += bytes(buffer[:count])
        head, _, body = head.partition(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = content_length(head)
        received, tail = len(body), body[-5:]
        while received < length if length is not None else tail != b"0\r\n\r\n":
            count = self.socket.recv_into(buffer)
            if count == 0:
                raise ConnectionError("closed before the end of the body")
            received += count
            tail = (tail + bytes(buffer[max(0, count - 5) : count]))[-5:]
        return status, received


def content_length(head):
    """None for a chunked answer, whose end is told by its last chunk: no document here holds a CR."""
    for line in head.lower().split(b"\r\n")[1:]:
        if line.startswith(b"content-length:"):
            return int(line.split(b":")[1])
    return None
