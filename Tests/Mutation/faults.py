"""The faults that can be planted: slips of a tired programmer, found line by line.

A fault of Swift is expressed without knowing where its operands begin and end: an operator is replaced by one of its
own (of the same precedence, declared in `switches.py`), a literal or a call by one that is told the fault's number. In
C, which has no operators of one's own, the expression around the fault is written twice.
"""

import dataclasses
import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Which test targets can see a fault in a folder of sources: those that are quick and near first.
SEEN_BY = {
    "Sources/CSIMD": ["SluiceJSONTests", "SluiceHTTPTests"],
    "Sources/SluiceJSON": ["SluiceJSONTests", "SluiceGatewayTests"],
    "Sources/SluiceHTTP": ["SluiceHTTPTests", "SluiceGatewayTests"],
    "Sources/SluiceHTTP2": ["SluiceHTTP2Tests", "SluiceGatewayTests"],
    "Sources/SluiceCache": ["SluiceCacheTests", "SluiceGatewayTests"],
    "Sources/SluiceSigning": ["SluiceSigningTests", "SluiceCredentialsTests", "SluiceGatewayTests"],
    "Sources/SluiceCredentials": ["SluiceCredentialsTests"],
    "Sources/SluiceRules": ["SluiceRulesTests", "SluiceConfigTests"],
    "Sources/SluiceConfig": ["SluiceConfigTests"],
    "Sources/SluiceGateway": ["SluiceGatewayTests"],
}

# One of several conditions; calls within it have no calls within them.
CLAUSE = r"[^,{()]+(?:\([^()]*\)[^,{()]*)*"
# A condition that binds a name, or is none of the language's expressions, cannot be switched off.
BOOLEAN = r"(?!\s*(?:let|var|case|#))"

# (name, what is looked for, what takes its place). Operators have spaces around them, so that generics, arrows and
# pointers are left alone.
RULES = [
    ("bound", r" < ", " <= "), ("bound", r" <= ", " < "), ("bound", r" > ", " >= "), ("bound", r" >= ", " > "),
    ("range", r"\.\.<(?=\S)", "..."), ("equality", r" == ", " != "), ("equality", r" != ", " == "),
    ("and-or", r" && ", " || "), ("and-or", r" \|\| ", " && "),
    ("sign", r" \+ ", " - "), ("sign", r" - (?=\S)", " + "), ("sign", r" \+= ", " -= "), ("sign", r" -= ", " += "),
    ("negation", r"(?<=[ (])!(?=[a-z(])", ""), ("truth", r"\btrue\b", "false"), ("truth", r"\bfalse\b", "true"),
    ("least-most", r"(?<![\w.])(?:Swift\.)?min\(", "max("), ("least-most", r"(?<![\w.])(?:Swift\.)?max\(", "min("),
    ("constant", r"(?<![\w.#\[])([1-9]\d{0,3})(?![\w.:])", lambda m: str(int(m[1]) + 1)),
    ("shift", r" << ", " >> "), ("shift", r" >> ", " << "), ("bits", r" & ", " | "), ("bits", r" \| ", " & "),
    ("dropped", rf"(?<=guard ){BOOLEAN}{CLAUSE}, ", ""), ("dropped", rf"(?<=if ){BOOLEAN}{CLAUSE}, ", ""),
    ("dropped", rf", {BOOLEAN}{CLAUSE}(?= else \{{)", ""),
    ("any-all", r"\.contains \{", ".allSatisfy {"), ("any-all", r"\.allSatisfy \{", ".contains {"),
    ("first-last", r"(?<=[\w)\]?!])\.first\b(?![\w(])", ".last"),
    ("first-last", r"(?<=[\w)\]?!])\.last\b(?![\w(])", ".first"),
]

# Lines where a fault shows nothing of the tests: traps, declarations, what the compiler reads.
LEFT_OUT = re.compile(
    r"^\s*(//|\*|/\*|#|@|import |public import|internal import|precondition|assert|_Static_assert"
    r"|case \.?\w+: return \")"
    r"|preconditionFailure|precondition\(|operator |typealias |protocol ")

# Texts and lists can be joined, but not taken from each other.
JOINED = re.compile(r'"|\[|Array\(|String\(|text\b')


@dataclasses.dataclass(frozen=True)
class Fault:
    path: str
    line: int
    rule: str
    start: int
    end: int
    text: str
    before: str

    @property
    def after(self):
        return self.before[: self.start] + self.text + self.before[self.end:]

    @property
    def found(self):
        return self.before[self.start: self.end]

    @property
    def folder(self):
        return "/".join(self.path.split("/")[:2])

    @property
    def key(self):
        """Stays the same where lines move."""
        return f"{self.path} | {self.before.strip()} | {self.after.strip()}"

    def __str__(self):
        return f"{self.path}:{self.line + 1} [{self.rule}]\n    - {self.before.strip()}\n    + {self.after.strip()}"


def code_spans(line):
    """Where of a line is code: not a string's text, not a comment."""
    spans, start, at = [], 0, 0
    while at < len(line):
        if line.startswith("//", at):
            break
        if line[at] == '"':
            spans.append((start, at))
            at += 1
            while at < len(line) and line[at] != '"':
                at += 2 if line[at] == "\\" else 1
            start = at + 1
        at += 1
    spans.append((start, at))
    return spans


def faults(path):
    relative = str(path.relative_to(ROOT))
    in_text = False
    for number, line in enumerate(path.read_text().splitlines()):
        if '"""' in line:
            in_text = in_text != (line.count('"""') == 1)
            continue
        if in_text or LEFT_OUT.search(line):
            continue
        spans = code_spans(line)
        for rule, pattern, replacement in RULES:
            for match in re.finditer(pattern, line):
                if not any(start <= match.start() and match.end() <= end for start, end in spans):
                    continue
                if rule == "sign" and (JOINED.match(line, match.end()) or line[: match.start()].endswith(('"', "]"))):
                    continue
                text = replacement(match) if callable(replacement) else replacement
                yield Fault(relative, number, rule, match.start(), match.end(), text, line)


def sources(only, without):
    for folder in SEEN_BY:
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in (".swift", ".c", ".h") and (only or "") in name and not (without and without in name):
                yield path


def sample(seed, only=None, without=None):
    """All faults in the order in which they are drawn, which no change of other sources shuffles."""
    seen, drawn = {}, []
    for path in sources(only, without):
        for fault in faults(path):
            seen[fault.key] = seen.get(fault.key, 0) + 1
            rank = hashlib.sha256(f"{seed} {fault.key} {seen[fault.key]}".encode()).digest()
            drawn.append((rank, fault))
    return [fault for _, fault in sorted(drawn, key=lambda pair: pair[0])]
