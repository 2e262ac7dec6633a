"""The documents that the origin answers with; the same bytes in every run."""

import json

COLORS = ["red", "green", "yellow"]
SMALL = b'{"id":7,"name":"apple","size":3,"ripe":true}'
LIST_BYTES = {"9k": 9_200, "9m": 9_500_000}
# What the caches answer with.
KILO = b'{"text":"' + b"k" * 1013 + b'"}'

# Three parts, and what a gateway makes of them.
PARTS = ["a", "b", "c"]
WHOLE = b"{" + b",".join(b'"' + name.encode() + b'":' + SMALL for name in PARTS) + b"}"

assert len(SMALL) == 44
assert len(KILO) == 1024


def fruit(index):
    return {
        "id": index,
        "name": f"fruit number {index}",
        "size": 3 + index % 40,
        "color": COLORS[index % 3],
        "ripe": index % 2 == 0,
        "weight": round(0.12 + index % 97 * 0.37, 2),
        "tags": ["local", f"tree-{index % 12}"],
    }


def listing(size):
    """A page of fruits in the envelope that APIs like, about `size` bytes."""
    fruits, total = [], 0
    while total < size - 120:
        fruits.append(fruit(len(fruits) + 1))
        total += len(compact(fruits[-1])) + 1
    return compact({"page": 1, "total": len(fruits), "values": fruits, "links": {"next": None, "self": "/fruits"}})


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()
