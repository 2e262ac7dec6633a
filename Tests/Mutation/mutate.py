"""Plants small faults in the sources, one at a time, and tells which of them no test sees.

What is planted are the slips of a tired programmer: a bound that is off by one, a turned condition, a dropped one, a
sign, a constant. A fault that the tests see is killed; one that they do not see has survived, and wants a test, or a
line in `survivors.txt` that says why it changes nothing.

Works in a copy of the tree, so that the tree itself is never touched.
"""

import argparse
import dataclasses
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCEPTED = pathlib.Path(__file__).with_name("survivors.txt")

# Which test targets can see a fault in a folder of sources: those that are quick and near first.
SEEN_BY = {
    "Sources/CSIMD": ["SluiceJSONTests", "SluiceHTTPTests"],
    "Sources/SluiceJSON": ["SluiceJSONTests", "SluiceGatewayTests"],
    "Sources/SluiceHTTP": ["SluiceHTTPTests", "SluiceGatewayTests"],
    "Sources/SluiceHTTP2": ["SluiceHTTP2Tests", "SluiceGatewayTests"],
    "Sources/SluiceCache": ["SluiceCacheTests", "SluiceGatewayTests"],
    "Sources/SluiceSigning": ["SluiceSigningTests"],
    "Sources/SluiceRules": ["SluiceRulesTests", "SluiceConfigTests"],
    "Sources/SluiceConfig": ["SluiceConfigTests"],
    "Sources/SluiceGateway": ["SluiceGatewayTests"],
}

# One of several conditions; calls within it have no calls within them.
CLAUSE = r"[^,{()]+(?:\([^()]*\)[^,{()]*)*"

# (name, what is looked for, what takes its place). Operators have spaces around them, so that generics, arrows and
# pointers are left alone.
RULES = [
    ("bound", r" < ", " <= "), ("bound", r" <= ", " < "), ("bound", r" > ", " >= "), ("bound", r" >= ", " > "),
    ("range", r"\.\.<(?=\S)", "..."), ("equality", r" == ", " != "), ("equality", r" != ", " == "),
    ("and-or", r" && ", " || "), ("and-or", r" \|\| ", " && "),
    ("sign", r" \+ ", " - "), ("sign", r" - (?=\S)", " + "), ("sign", r" \+= ", " -= "), ("sign", r" -= ", " += "),
    ("negation", r"(?<=[ (])!(?=[a-z(])", ""), ("truth", r"\btrue\b", "false"), ("truth", r"\bfalse\b", "true"),
    ("least-most", r"\bmin\(", "max("), ("least-most", r"\bmax\(", "min("),
    ("constant", r"(?<![\w.#\[])([1-9]\d{0,3})(?![\w.:])", lambda m: str(int(m[1]) + 1)),
    ("shift", r" << ", " >> "), ("shift", r" >> ", " << "), ("bits", r" & ", " | "), ("bits", r" \| ", " & "),
    ("dropped", rf"(?<=guard ){CLAUSE}, ", ""), ("dropped", rf"(?<=if ){CLAUSE}, ", ""),
    ("dropped", rf", {CLAUSE}(?= else \{{)", ""),
    ("any-all", r"\.contains \{", ".allSatisfy {"), ("any-all", r"\.allSatisfy \{", ".contains {"),
    ("first-last", r"\.first\b(?!\()", ".last"), ("first-last", r"\.last\b(?!\()", ".first"),
]

# Lines where a fault shows nothing of the tests: traps, declarations, what the compiler reads.
LEFT_OUT = re.compile(
    r"^\s*(//|\*|/\*|#|@|import |public import|internal import|precondition|assert|case \.?\w+: return \"|_Static_assert)"
    r"|preconditionFailure|precondition\(|operator |typealias |protocol ")


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    rule: str
    before: str
    after: str

    def __str__(self):
        return f"{self.path}:{self.line + 1} [{self.rule}]\n    - {self.before.strip()}\n    + {self.after.strip()}"

    @property
    def key(self):
        """Stays the same where lines move."""
        return f"{self.path} | {self.before.strip()} | {self.after.strip()}"


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


def mutants(path):
    relative = str(path.relative_to(ROOT))
    for number, line in enumerate(path.read_text().splitlines()):
        if LEFT_OUT.search(line) or '"""' in line:
            continue
        spans = code_spans(line)
        for rule, pattern, replacement in RULES:
            for match in re.finditer(pattern, line):
                if not any(start <= match.start() and match.end() <= end for start, end in spans):
                    continue
                text = replacement(match) if callable(replacement) else replacement
                after = line[: match.start()] + text + line[match.end():]
                if after != line:
                    yield Mutant(relative, number, rule, line, after)


def sources(only):
    for folder in SEEN_BY:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".swift", ".c", ".h") and (not only or only in str(path.relative_to(ROOT))):
                yield path


def run(command, tree, seconds):
    """The exit status of a command; None where it took too long. What it prints goes to a file beside the tree."""
    with open(tree.parent / "output.txt", "w") as output:
        process = subprocess.Popen(
            command, cwd=tree, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            start_new_session=True)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None


def build(tree):
    return run(["swift", "build", "--build-tests"], tree, 1800)


def tests(tree, target, seconds):
    return run(["swift", "test", "--skip-build", "--filter", target], tree, seconds)


def judge(mutant, tree, patience):
    """'killed by …', 'invalid' where it does not compile, or 'survived'."""
    path = tree / mutant.path
    original = path.read_text()
    lines = original.splitlines(keepends=True)
    lines[mutant.line] = mutant.after + "\n"
    path.write_text("".join(lines))
    try:
        if build(tree) != 0:
            return "invalid"
        folder = "/".join(mutant.path.split("/")[:2])
        for target in SEEN_BY[folder]:
            status = tests(tree, target, patience[target])
            if status != 0:
                return f"killed by {target}" + (" (took too long)" if status is None else "")
        return "survived"
    finally:
        path.write_text(original)


def accepted():
    if not ACCEPTED.exists():
        return {}
    entries = {}
    for line in ACCEPTED.read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, reason = line.rpartition(" | ")
            entries[key] = reason
    return entries


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=30, help="how many faults are planted (30)")
    parser.add_argument("--seed", type=int, help="which ones; the day's number without it")
    parser.add_argument("--only", metavar="PART", help="files whose path holds this")
    parser.add_argument("--list", action="store_true", help="print the faults of the sample and plant none")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else int(time.time()) // 86400
    known = accepted()
    everything = [m for path in sources(arguments.only) for m in mutants(path) if m.key not in known]
    if not everything:
        sys.exit(f"No source file's path holds '{arguments.only}': name a part of one below Sources.")
    chosen = random.Random(seed)
    chosen.shuffle(everything)
    print(f"{len(everything)} faults could be planted; seed {seed}.", flush=True)
    if arguments.list:
        for mutant in everything[: arguments.count]:
            print(mutant)
        return

    tree = ROOT / ".build" / "mutation" / "tree"
    tree.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(tree / "Sources", ignore_errors=True)
    # Tests read documents, too, and follow their links.
    for entry in ROOT.iterdir():
        if entry.name.startswith(".build") or entry.name == ".git":
            continue
        if entry.is_dir():
            shutil.copytree(
                entry, tree / entry.name, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".build*"))
        else:
            shutil.copy2(entry, tree / entry.name)
    print("Building and running the tests without a fault.", flush=True)
    if build(tree) != 0:
        sys.exit(f"The tree does not build: see {tree.parent / 'output.txt'}.")
    patience = {}
    folders = {"/".join(m.path.split("/")[:2]) for m in everything}
    for target in sorted({target for folder in folders for target in SEEN_BY[folder]}):
        begun = time.monotonic()
        if tests(tree, target, 1800) != 0:
            sys.exit(f"{target} fails without a fault: see {tree.parent / 'output.txt'}.")
        # A fault may well make a loop endless.
        patience[target] = 60 + 5 * (time.monotonic() - begun)

    counts = {"killed": 0, "survived": 0, "invalid": 0}
    for mutant in everything:
        if counts["killed"] + counts["survived"] >= arguments.count:
            break
        verdict = judge(mutant, tree, patience)
        counts[verdict.split()[0]] += 1
        if verdict == "survived":
            print(f"SURVIVED {mutant}", flush=True)
        elif verdict != "invalid":
            print(f"{verdict}: {mutant.path}:{mutant.line + 1} [{mutant.rule}]", flush=True)
    judged = counts["killed"] + counts["survived"]
    share = 100 * counts["killed"] / judged if judged else 0
    print(f"{counts['killed']} of {judged} killed ({share:.0f} %); {counts['invalid']} did not compile; seed {seed}.")
    if counts["survived"]:
        print(f"Each that survived wants a test, or its line and a reason in {ACCEPTED.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
