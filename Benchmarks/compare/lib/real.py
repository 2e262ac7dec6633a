"""Real documents, which a folder has to hold: of each the part that is cut out, and a type that declares all of it."""

import functools
import json
import re
from dataclasses import dataclass

from . import load

SOURCE = "simdjson's jsonexamples, https://github.com/simdjson/simdjson/tree/master/jsonexamples"


@dataclass(frozen=True)
class Document:
    name: str
    # Key of the part that is cut out; None for all of it.
    part: str
    run: object

    @property
    def path(self):
        return f"/real/{self.name}"


DOCUMENTS = [
    Document("twitter", "statuses", load.whole_downloads),
    Document("citm_catalog", "performances", load.whole_downloads),
    Document("github_events", None, load.small_requests),
    Document("update-center", "plugins", load.whole_downloads),
    Document("apache_builds", "jobs", load.small_requests),
    Document("canada", "features", load.whole_downloads),
]

# More keys than this, or keys that no programmer would choose, make a dictionary of an object.
FIELDS_MAX = 48
FIELD = re.compile(r"[A-Za-z_]\w*")
TEXTS = [
    ("URL", re.compile(r"https?://[^\s\"<>\\^`{|}]+")),
    ("Date", re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")),
]


class Types:
    """The types of a document, as a careful person would declare them who had no other than this one."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.objects = []

    def of(self, values):
        """The notation of what all of `values` are."""
        present = [value for value in values if value is not None]
        optional = "?" if len(present) < len(values) else ""
        kinds = {type(value) for value in present}
        if kinds <= {int, float} and kinds:
            return ("Int" if kinds == {int} else "Double") + optional
        if len(kinds) != 1:
            return "JSON"
        kind = kinds.pop()
        if kind is bool:
            return "Bool" + optional
        if kind is str:
            named = (name for name, pattern in TEXTS if all(pattern.fullmatch(value) for value in present))
            return next(named, "String") + optional
        if kind is list:
            return f"[{self.of([element for value in present for element in value])}]{optional}"
        keys = list(dict.fromkeys(key for value in present for key in value))
        if not keys:
            return "JSON"
        if len(keys) > FIELDS_MAX or not all(map(FIELD.fullmatch, keys)):
            return f"[String: {self.of([member for value in present for member in value.values()])}]{optional}"
        return self.object(present, keys) + optional

    def object(self, values, keys):
        # Its place is taken before its members have theirs.
        place = len(self.objects)
        name = f"{self.prefix}{place}"
        self.objects.append(None)
        lines = [f"  {name}:"]
        for key in keys:
            notation = self.of([value[key] for value in values if key in value])
            optional = "" if notation.endswith("?") or all(key in value for value in values) else "?"
            lines.append(f"    {json.dumps(key)}: {{type: {json.dumps(notation + optional)}}}")
        self.objects[place] = "\n".join(lines)
        return name


@functools.cache
def page(folder):
    """Types and bindings of all that the folder holds, as lines of Sluice's page; found out once for all rounds."""
    documents = read(folder)
    types, bindings = [], []
    for document in DOCUMENTS:
        if document.name not in documents:
            continue
        value = json.loads(documents[document.name])
        declared = Types(re.sub(r"\W", "", document.name.title()))
        notation = declared.of([value[document.part] if document.part else value])
        types += declared.objects
        bindings += [f"  GET {document.path}:", f"    to: origin {document.path}", "    bearer: false"]
        bindings += [f"    parent: {document.part}"] if document.part else []
        bindings += [f"    value: {json.dumps(notation)}"]
    return "\n".join(types), "\n".join(bindings)


def read(folder):
    """Their bytes by name, of those that the folder holds."""
    files = {document.name: folder / f"{document.name}.json" for document in DOCUMENTS} if folder else {}
    return {name: file.read_bytes() for name, file in files.items() if file.is_file()}
