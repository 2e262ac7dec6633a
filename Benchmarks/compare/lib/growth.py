"""What downloads of 9.5 MB add to a gateway's memory while they are under way."""

import selectors
import time

from .client import Connection
from .process import Failure
from .rest import SETTLE_SECONDS, warm_up

PATH = "/list/9m"
# A slow client reads so much at a time, so often, and is watched for so long.
SLOW_BYTES = 64 << 10
SLOW_PAUSE_SECONDS = 1 / 16
SLOW_SECONDS = 3


def bytes_per_download(server, port, count, is_slow):
    """Growth of resident memory at its peak over `count` downloads at once, for each of them.

    Pages of the program's and its libraries' files are left out: they are the page cache's, and stay once touched.
    """
    warm_up(port)
    time.sleep(SETTLE_SECONDS)
    server.forget_peak()
    before = server.resident_bytes() - server.resident_file_bytes()
    connections = [Connection(port) for _ in range(count)]
    try:
        for connection in connections:
            connection.request(port, PATH)
        (read_slowly if is_slow else read_all)(connections)
        return (server.peak_bytes() - server.resident_file_bytes() - before) / count
    finally:
        for connection in connections:
            connection.close()


def read_all(connections):
    """Every answer to its end, from whichever has something."""
    buffer = bytearray(1 << 18)
    tails = {connection: b"" for connection in connections}
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        while tails:
            for key, _ in selector.select(30) or give_up():
                received = key.fileobj.recv_into(buffer)
                if received == 0:
                    give_up()
                tail = (tails[key.data] + bytes(buffer[max(0, received - 7) : received]))[-7:]
                tails[key.data] = tail
                # The end of the array in its last chunk, or that of the whole document.
                if tail.endswith((b"\r\n0\r\n\r\n", b'"/fruits"}}'[-7:])):
                    selector.unregister(key.fileobj)
                    del tails[key.data]


def give_up():
    raise Failure("a download did not come to its end")


def read_slowly(connections):
    """1 MB/s for each of them, for as long as they are watched."""
    buffer = bytearray(SLOW_BYTES)
    end = time.monotonic() + SLOW_SECONDS
    turn = time.monotonic()
    while turn < end:
        for connection in connections:
            if connection.socket.recv_into(buffer) == 0:
                give_up()
        turn += SLOW_PAUSE_SECONDS
        time.sleep(max(0, turn - time.monotonic()))
