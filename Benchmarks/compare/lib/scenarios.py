"""The scenarios, by name; `--only` picks among them."""

import json
from dataclasses import dataclass
from typing import Callable

from . import documents, load, real


@dataclass(frozen=True)
class Loaded:
    """Requests for one path."""

    name: str
    title: str
    path: str
    run: Callable
    # The name of the document that the answer is cut out of; None for the small answer.
    listing: str = None
    # The key of the part that is cut out; None for all of it.
    part: str = "values"
    # Asked for over HTTP/2 in cleartext.
    http2: bool = False
    body: bytes = documents.SMALL
    # Only for gateways that put an answer together.
    composes: bool = False
    # Workers, threads or loops of the gateway; more than one have both cores, and share one with the load.
    workers: int = 1

    def check(self, gateway, origin, answer):
        """Why `answer` is not what the scenario is about; None where it is."""
        if answer is None or answer[0] != 200:
            return f"answered {answer[0] if answer else 'nothing'}"
        if self.listing is None:
            return None if answer[1] == self.body else f"answered {answer[1][:80]!r}"
        whole = origin.documents[self.listing]
        if not gateway.extracts:
            return None if answer[1] == whole else "changed the body"
        wanted = json.loads(whole)
        wanted = wanted[self.part] if self.part else wanted
        return None if json.loads(answer[1]) == wanted else "cut out something else"


@dataclass(frozen=True)
class Resting:
    """A figure of a gateway that is not under load."""

    name: str
    title: str
    unit: str
    # The method of the runner that takes it, and what it is told.
    take: str
    arguments: tuple = ()


LOADED = [
    Loaded("pass-44", "Pass-through of 44 bytes of JSON", "/pass/small", load.small_requests),
    Loaded(
        "typed-44",
        "44 bytes with the bearer put in; Sluice also checks the type",
        "/typed",
        load.small_requests,
    ),
    Loaded("busy-44", "Pass-through of 44 bytes of JSON with 256 connections", "/pass/small", load.many_requests),
    Loaded(
        "h2-44",
        "The same over HTTP/2: 8 connections of 32 streams (latency: mean, and mean + 3 deviations)",
        "/typed",
        load.http2_requests,
        http2=True,
    ),
    Loaded(
        "hit-1k",
        "1 KB out of the gateway's own cache",
        "/hit",
        load.small_requests,
        body=documents.KILO,
    ),
    Loaded(
        "h2-hit-1k",
        "1 KB out of the gateway's own cache over HTTP/2: 8 connections of 32 streams",
        "/hit",
        load.http2_requests,
        body=documents.KILO,
        http2=True,
    ),
    Loaded(
        "parts-apart",
        "Three parts of 44 bytes by themselves, which Sluice checks; three are one request here (latency: of one)",
        "/part/a",
        load.apart,
    ),
    Loaded(
        "parts-3",
        "The same three parts, asked at once and put together",
        "/whole",
        load.small_requests,
        body=documents.WHOLE,
        composes=True,
    ),
    Loaded(
        "extract-9k",
        "An array cut out of 9 KB; nginx and HAProxy pass the body untouched",
        "/list/9k",
        load.small_requests,
        listing="9k",
    ),
    Loaded(
        "extract-9m",
        "An array cut out of 9.5 MB; nginx and HAProxy pass the body untouched",
        "/list/9m",
        load.whole_downloads,
        listing="9m",
    ),
    Loaded(
        "extract-9m-24",
        "The same with 24 downloads at a time",
        "/list/9m",
        load.many_downloads,
        listing="9m",
    ),
    Loaded(
        "neighbours",
        "44 bytes of JSON passed to 4 clients, beside 8 that have the array of 9.5 MB cut out over and over; see p99",
        "/pass/small",
        load.beside_downloads,
    ),
] + [
    Loaded(f"two-{name}", f"{title} Two workers, on both cores", path, load.small_requests, body=body, workers=2)
    for name, title, path, body in [
        ("pass-44", "Pass-through of 44 bytes of JSON.", "/pass/small", documents.SMALL),
        ("typed-44", "44 bytes with the bearer put in; Sluice also checks the type.", "/typed", documents.SMALL),
        ("hit-1k", "1 KB out of the gateway's own cache.", "/hit", documents.KILO),
    ]
] + [
    Loaded(
        f"real-{document.name}",
        f"{document.part or 'all'} of {document.name}.json, typed; nginx and HAProxy pass the body untouched",
        document.path,
        document.run,
        listing=document.name,
        part=document.part,
    )
    for document in real.DOCUMENTS
]
RESTING = [
    Resting("rest", "Resident memory of one worker at rest", "MB", "rest"),
    Resting("start", "Start to first answer", "ms", "start"),
    Resting("idle", "Memory of one idle keep-alive connection (of 5,000)", "bytes", "idle"),
] + [
    Resting(
        f"grow-{pace}-{count}",
        f"Growth of memory for each of {count} {pace} downloads of 9.5 MB, at its peak",
        "KiB",
        "growth",
        (count, pace == "slow"),
    )
    for pace in ("fast", "slow")
    for count in (1, 4, 32)
]
NAMES = [scenario.name for scenario in LOADED + RESTING]
