"""What a gateway costs while nobody asks: start, memory at rest, idle connections."""

import time

from .client import Connection, get
from .process import Failure, wait_until

IDLE_CONNECTIONS = 5_000
SETTLE_SECONDS = 0.5


def resident_at_rest(server, port):
    """Resident bytes of the worker after a few answers."""
    warm_up(port)
    time.sleep(SETTLE_SECONDS)
    return server.worker_resident_bytes()


def milliseconds_to_first_answer(start, port):
    """From the start of the process to the whole first answer through it."""
    before = time.monotonic()
    with start() as server:
        wait_until(lambda: answers(port), server)
        return (time.monotonic() - before) * 1000


def bytes_per_idle_connection(server, port):
    """Growth of all processes' proportional memory over 5,000 connections, each with one answer behind it."""
    warm_up(port)
    time.sleep(SETTLE_SECONDS)
    # Code that has been let go of meanwhile is no connection's.
    warm_up(port)
    before = server.proportional_bytes()
    buffer = bytearray(1 << 16)
    connections = []
    try:
        for _ in range(IDLE_CONNECTIONS):
            connection = Connection(port)
            connections.append(connection)
            connection.request(port, "/pass/small")
            status, _ = connection.drain(buffer)
            if status != 200:
                raise Failure(f"{server.name} answered {status} on connection {len(connections)}.")
        time.sleep(SETTLE_SECONDS)
        return (server.proportional_bytes() - before) / IDLE_CONNECTIONS
    finally:
        for connection in connections:
            connection.close()


def warm_up(port):
    for _ in range(64):
        get(port, "/pass/small")


def answers(port):
    answer = get(port, "/pass/small")
    return answer is not None and answer[0] == 200
