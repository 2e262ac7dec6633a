"""One loaded round: requests for some seconds, and what they cost the gateway."""

import json
import re
import subprocess
import time
from dataclasses import dataclass, replace

from .client import Connection
from .documents import PARTS

WARM_UP_SECONDS = 1
SMALL_CONNECTIONS = 32
FEW_CONNECTIONS = 4
DOWNLOADING_CONNECTIONS = 8
CROWD_CONNECTIONS = 24
MANY_CONNECTIONS = 256
HTTP2_CONNECTIONS = 8
HTTP2_STREAMS = 32

# wrk's own table is for eyes; its script interface hands out the same numbers exactly. Latencies are microseconds.
REPORT = """
done = function(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\\n{"requests":%d,"seconds":%.6f,"p50":%.1f,"p99":%.1f,"errors":%d}\\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""

PARTS_IN_TURN = """
local paths, next = {{{paths}}}, 0
request = function()
    next = next % #paths + 1
    return wrk.format("GET", paths[next])
end
"""


@dataclass
class Sample:
    """What one round of one gateway gave."""

    requests: int
    errors: int
    cpu_us: float
    per_second: float
    p50_ms: float
    p99_ms: float
    peak_bytes: int


def small_requests(server, port, path, seconds, folder):
    """wrk with 32 connections."""
    return requests(server, port, path, seconds, folder, SMALL_CONNECTIONS)


def many_requests(server, port, path, seconds, folder):
    """wrk with 256 connections."""
    return requests(server, port, path, seconds, folder, MANY_CONNECTIONS)


def apart(server, port, path, seconds, folder):
    """wrk with 32 connections, which ask for three parts in turn; three of them are one request here, but for latency."""
    paths = "".join(f'"/part/{name}", ' for name in PARTS)
    script = PARTS_IN_TURN.format(paths=paths)
    sample = requests(server, port, path, seconds, folder, SMALL_CONNECTIONS, script)
    count = len(PARTS)
    return replace(
        sample,
        requests=sample.requests // count,
        cpu_us=sample.cpu_us * count,
        per_second=sample.per_second / count,
    )


def many_downloads(server, port, path, seconds, folder):
    """wrk with 24 connections; what is on its way when the round begins makes up for what is when it ends."""
    return requests(server, port, path, seconds, folder, CROWD_CONNECTIONS)


def beside_downloads(server, port, path, seconds, folder):
    """wrk with 4 connections, while 8 others download 9.5 MB again and again."""
    url = f"http://127.0.0.1:{port}/list/9m"
    whole = f"-d{WARM_UP_SECONDS + seconds + 2}s"
    downloads = subprocess.Popen(["wrk", "-t1", f"-c{DOWNLOADING_CONNECTIONS}", whole, url], stdout=subprocess.DEVNULL)
    try:
        return requests(server, port, path, seconds, folder, FEW_CONNECTIONS)
    finally:
        downloads.terminate()
        downloads.wait()


def requests(server, port, path, seconds, folder, connections, script=""):
    """`script` says, in Lua, what is asked for in the place of `path`."""
    run_wrk(port, path, WARM_UP_SECONDS, folder, connections, script)
    before = server.cpu_seconds()
    result = run_wrk(port, path, seconds, folder, connections, script)
    spent = server.cpu_seconds() - before
    server.assert_alive()
    return Sample(
        requests=result["requests"],
        errors=result["errors"],
        cpu_us=spent * 1e6 / max(1, result["requests"]),
        per_second=result["requests"] / result["seconds"],
        p50_ms=result["p50"] / 1000,
        p99_ms=result["p99"] / 1000,
        peak_bytes=server.peak_bytes(),
    )


def run_wrk(port, path, seconds, folder, connections, requests_script):
    script = folder / "report.lua"
    script.write_text(requests_script + REPORT)
    url = f"http://127.0.0.1:{port}{path}"
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads(output.strip().splitlines()[-1])


def http2_requests(server, port, path, seconds, _):
    """h2load with 8 connections of 32 streams each."""
    run_h2load(port, path, WARM_UP_SECONDS)
    before = server.cpu_seconds()
    result = run_h2load(port, path, seconds)
    spent = server.cpu_seconds() - before
    server.assert_alive()
    return Sample(
        requests=result["requests"],
        errors=result["errors"],
        cpu_us=spent * 1e6 / max(1, result["requests"]),
        per_second=result["requests"] / seconds,
        p50_ms=result["p50_ms"],
        p99_ms=result["p99_ms"],
        peak_bytes=server.peak_bytes(),
    )


def run_h2load(port, path, seconds):
    command = [
        "h2load",
        f"-c{HTTP2_CONNECTIONS}",
        f"-m{HTTP2_STREAMS}",
        f"-D{seconds}",
        f"http://127.0.0.1:{port}{path}",
    ]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    counts = re.search(r"requests: (\d+) total, .* (\d+) done, (\d+) succeeded", output)
    # h2load tells mean and deviation instead of percentiles.
    times = re.search(r"time for request: +(?:\S+ +){2}(\S+) +(\S+)", output)
    mean, deviation = in_milliseconds(times[1]), in_milliseconds(times[2])
    done, succeeded = int(counts[2]), int(counts[3])
    return {"requests": succeeded, "errors": done - succeeded, "p50_ms": mean, "p99_ms": mean + 3 * deviation}


def in_milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def whole_downloads(server, port, path, seconds, _):
    """One download after another on one connection: every byte of CPU belongs to a request that was finished."""
    buffer = bytearray(1 << 20)
    connection = Connection(port)
    connection.request(port, path)
    connection.drain(buffer)
    latencies, errors = [], 0
    before, start = server.cpu_seconds(), time.monotonic()
    while time.monotonic() - start < seconds:
        sent = time.monotonic()
        connection.request(port, path)
        status, _ = connection.drain(buffer)
        latencies.append(time.monotonic() - sent)
        errors += status != 200
    elapsed, spent = time.monotonic() - start, server.cpu_seconds() - before
    connection.close()
    server.assert_alive()
    latencies.sort()
    return Sample(
        requests=len(latencies),
        errors=errors,
        cpu_us=spent * 1e6 / len(latencies),
        per_second=len(latencies) / elapsed,
        p50_ms=latencies[len(latencies) // 2] * 1000,
        p99_ms=latencies[min(len(latencies) - 1, len(latencies) * 99 // 100)] * 1000,
        peak_bytes=server.peak_bytes(),
    )
