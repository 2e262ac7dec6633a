"""Requests, and what may befall them on their way."""

SEEDS = [
    b"GET /o/%d HTTP/1.1\r\nHost: localhost\r\nX: a\r\n\r\n",
    b"GET http://localhost/o/%d?a=b HTTP/1.1\r\nHost: localhost\r\nConnection: X\r\nX: a\r\n\r\n",
    b"POST /o/%d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
    b"PUT /o/%d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 42\r\n\r\n"
    b"GET /o/inner HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /o/%d HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"POST /o/%d HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: Y\r\n\r\n"
    b"2;a=b\r\nhe\r\n003\r\nllo\r\n0\r\nY: b\r\n\r\n",
    b"DELETE /o/%d HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
    b"POST /o/%d HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
    b"OPTIONS /o/%d HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 5\r\n\r\n",
]
LINES = [
    b"Content-Length: 0", b"Content-Length: 5", b"Content-Length: +5", b"Content-Length: 5, 5", b"Content-Length: 6",
    b"Content-Length : 5", b"Content-Length:\t5", b"Content_Length: 5", b"Content-Length: 0x5",
    b"Content-Length: 5\x0b",
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", b"Transfer-Encoding: x, chunked",
    b"Transfer-Encoding:\x0bchunked", b"Transfer-Encoding : chunked", b"Transfer_Encoding: chunked",
    b"Transfer-Encoding: chunked\x00", b"Transfer-Encoding:\r\n chunked", b"X:\r\n Transfer-Encoding: chunked",
    b"X: a\rTransfer-Encoding: chunked", b"X: a\nTransfer-Encoding: chunked", b"Connection: close, Content-Length",
    b"Connection: Transfer-Encoding", b"Connection: keep-alive", b"Host: evil", b" Host: evil", b"Expect: 100-continue",
    b"Upgrade: h2c\r\nConnection: Upgrade", b"TE: trailers\r\nConnection: TE", b"Trailer: Content-Length",
    b"X-Forwarded-For: a", b": a", b"X", b"X:", b"X: \xc3\xa9\xff", b"X: \x01", b"X : a", b"\x00: a",
    b"Range: bytes=0-",
]
BITS = [
    b"\r", b"\n", b"\r\n", b"\r\n\r\n", b" ", b"\t", b"\x00", b"\x0b", b"\x0c", b"\x85", b"\xa0", b";", b",", b":",
    b"0", b"0\r\n\r\n", b"-", b"+", b"_", b"%", b"%2f", b"%00", b"/", b"//", b"/../", b"?", b"#", b"\\", b"@", b"\xff",
    b"HTTP/1.1", b"HTTP/1.0", b"HTTP/0.9", b"GET ", b"chunked", b"ffffffffffffffff", b"0x",
]
NEXT = b"GET /o/next-%d HTTP/1.1\r\nHost: localhost\r\n\r\n"


def damaged(number, chance):
    """A request, damaged up to three times, and often another one behind it."""
    data = chance.choice(SEEDS) % number
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(7)
        if kind <= 1:
            head = data.index(b"\r\n") + 2 if b"\r\n" in data else 0
            data = data[:head] + chance.choice(LINES) + b"\r\n" + data[head:]
        elif kind == 2:
            data = data[:place] + chance.choice(BITS) + data[place:]
        elif kind == 3:
            data = data[:place] + data[place + chance.randint(1, 3) :]
        elif kind == 4:
            data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
        elif kind == 5:
            lines = data.split(b"\r\n")
            lines.insert(chance.randrange(len(lines)), chance.choice(lines))
            data = b"\r\n".join(lines)
        else:
            data = data.replace(b"\r\n", chance.choice((b"\n", b"\r", b"\r\r\n", b"\r\n")), chance.randint(1, 3))
    return data + NEXT % number if chance.random() < 0.7 else data
