"""Plants small faults in the sources and tells which of them no test sees.

What is planted are the slips of a tired programmer: a bound that is off by one, a turned condition, a dropped one, a
sign, a constant. A fault that the tests see is killed; one that they do not see has survived, and wants a test, or a
line in `survivors.txt` that says why it changes nothing.

All faults of a sample are in one build, each behind a switch (`switches.py`); what the compiler refuses is taken out
(its place in the sample goes to the next one). Each suite runs once without a fault and notes which of them it comes
by; then each fault runs, alone, in the suites that reach it, until the first of them complains, crashes or hangs.

Works in a copy of the tree, so that the tree itself is never touched.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from checks import places, refusals
from faults import ROOT, SEEN_BY, sample
from runs import Tests
from switches import edits, overlap, plant, write

ACCEPTED = pathlib.Path(__file__).with_name("survivors.txt")


def accepted():
    """The reasons why faults show nothing, by their keys."""
    entries = {}
    for line in ACCEPTED.read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, reason = line.rpartition(" | ")
            entries[key] = reason
    return entries


def copy(tree):
    """Brings the copy up to date. Sources of programs are written by `plant`. Tests read documents, too."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(".build") and name != ".git"]
        relative = pathlib.Path(folder).relative_to(ROOT)
        (tree / relative).mkdir(parents=True, exist_ok=True)
        for name in files + [name for name in folders if (pathlib.Path(folder) / name).is_symlink()]:
            source, target = pathlib.Path(folder) / name, tree / relative / name
            planted = relative.parts[:1] == ("Sources",) and target.suffix in (".swift", ".c", ".h")
            if source.is_symlink():
                if not target.is_symlink():
                    target.symlink_to(os.readlink(source))
            elif name == ".git" or planted:
                continue
            elif not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copy2(source, target)
    for part in ("Sources", "Tests"):
        for path in (tree / part).rglob("*.*"):
            if path.is_file() and not (ROOT / path.relative_to(tree)).exists():
                path.unlink()


def narrow(tree):
    """Leaves out the test targets of the package that are never asked: they would be built each time."""
    path = tree / "Package.swift"
    text, asked = path.read_text(), {target for targets in SEEN_BY.values() for target in targets}
    for match in reversed(list(re.finditer(r'^ *\.testTarget\(\s*name: "(\w+)"', text, re.MULTILINE))):
        if match[1] in asked:
            continue
        end, depth = text.index("(", match.start()) + 1, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: match.start()] + text[end:].removeprefix(",").lstrip("\n")
    write(path, text)


def choose(drawn, count):
    """The first faults of the sample that can stand in one build, by number."""
    planted, taken, left_out = {}, {}, 0
    for fault in drawn:
        if len(planted) >= count:
            break
        number, place = len(planted), (fault.path, fault.line)
        own = edits(fault, number)
        if not own or any(overlap(own, other) for other in taken.get(place, [])):
            left_out += 1
            continue
        planted[number] = fault
        taken.setdefault(place, []).append(own)
    return planted, left_out


def take_out(planted, places):
    """Takes out the faults at, or else nearest to, the places of errors; returns how many."""
    refused = set()
    for path, line in places:
        same = {number: abs(fault.line - line) for number, fault in planted.items() if fault.path == path}
        refused |= {number for number, distance in same.items() if distance == min(same.values())}
    for number in refused:
        fault = planted.pop(number)
        print(f"  refused: {fault.path}:{fault.line + 1} {fault.after.strip()}", flush=True)
    return len(refused)


def build(tree, planted, count, under, output, checks):
    """Takes out of `planted` what the compiler refuses, and builds the rest."""
    if checks:
        plant(tree, ROOT, planted, count)
        for folder in {fault.folder for fault in planted.values()}:
            take_out(planted, refusals(tree, folder, under))
    while True:
        plant(tree, ROOT, planted, count)
        with open(output, "w") as file:
            status = subprocess.run(
                [*under, "swift", "build", "--build-tests"], cwd=tree, stdout=file, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL).returncode
        if status == 0:
            return
        if not take_out(planted, places(output.read_text())):
            sys.exit(f"The tree does not build: see {output}.")


def remembered(path, key):
    """What an earlier run that was broken off has written."""
    if not path.exists():
        return {}
    return {entry[key]: entry for entry in map(json.loads, path.read_text().splitlines())}


def survey(tests, planted, path, pool):
    """What each suite does without a fault."""
    folders = {fault.folder for fault in planted.values()}
    targets = {target for folder in folders for target in SEEN_BY[folder]}
    found = remembered(path, "suite")
    left = [suite for suite in tests.suites(targets) if suite not in found]
    with open(path, "a") as file:
        for suite, entry in zip(left, pool.map(tests.survey, left)):
            found[suite] = {"suite": suite, **entry}
            print(json.dumps(found[suite]), file=file, flush=True)
    for suite, entry in found.items():
        if entry["sign"]:
            print(f"{suite} fails without a fault, and is left out: {entry['sign']}", flush=True)
    return {suite: entry for suite, entry in found.items() if not entry["sign"]}


def judge_all(tests, planted, surveyed, results, pool):
    """Yields faults with their verdicts, in the order of the sample."""
    known = remembered(results, "key")

    def judge(item):
        number, fault = item
        key = f"{fault.path}:{fault.line + 1}:{fault.start} {fault.key}"
        if key in known:
            return fault, known[key]
        suites = [
            suite for target in SEEN_BY[fault.folder] for suite, entry in surveyed.items()
            if suite.startswith(target + ".") and number in entry["reached"]]
        begun = time.monotonic()
        sign = tests.judge(number, suites, surveyed) if suites else None
        verdict = f"killed: {sign}" if sign else "survived" if suites else "not reached"
        entry = {"key": key, "verdict": verdict, "seconds": time.monotonic() - begun}
        with open(results, "a") as file:
            print(json.dumps(entry), file=file, flush=True)
        return fault, entry

    for fault, entry in pool.map(judge, planted.items()):
        if entry["verdict"].startswith("killed"):
            print(f"{entry['verdict'][:100]}: {fault.path}:{fault.line + 1} [{fault.rule}]", flush=True)
        else:
            print(f"{entry['verdict'].upper()} {fault}", flush=True)
        yield fault, entry


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=300, help="how many faults are judged (300)")
    parser.add_argument("--seed", type=int, help="which ones; the day's number without it")
    parser.add_argument("--only", metavar="PART", help="files whose path holds this")
    parser.add_argument("--without", metavar="PART", help="leaves out files whose path holds this")
    parser.add_argument("--list", action="store_true", help="print the faults of the sample and plant none")
    parser.add_argument("--tree", type=pathlib.Path, help="where the copy is (.build/mutation/tree)")
    parser.add_argument("--under", default="", metavar="COMMAND", help="what builds run under, such as 'nice -n 10'")
    parser.add_argument("--tests-under", default="", metavar="COMMAND", help="what test runs run under")
    parser.add_argument("--jobs", type=int, default=1, help="how many test runs go on at a time (1)")
    parser.add_argument("--check", action="store_true", help="check each module before the build: for large samples")
    parser.add_argument("--afresh", action="store_true", help="forget what an earlier run of this seed has found")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else int(time.time()) // 86400
    drawn = sample(seed, arguments.only, arguments.without)
    if not drawn:
        sys.exit(f"No source file's path holds '{arguments.only}': name a part of one below Sources.")
    print(f"{len(drawn)} faults could be planted; seed {seed}.", flush=True)
    if arguments.list:
        for fault in drawn[: arguments.count]:
            print(fault)
        return

    tree = arguments.tree or ROOT / ".build" / "mutation" / "tree"
    choice = filter(None, [f"seed-{seed}", arguments.only, arguments.without and f"not-{arguments.without}"])
    scratch = ROOT / ".build" / "mutation" / "-".join(choice).replace("/", "-")
    if arguments.afresh:
        shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True, exist_ok=True)
    copy(tree)
    narrow(tree)
    # A third more than are judged: what the compiler refuses has to be made up for.
    room = arguments.count * 4 // 3 + 5
    planted, left_out = choose(drawn, room)
    refused_path = scratch / "refused.json"
    if refused_path.exists():
        refused = set(json.loads(refused_path.read_text()))
        planted = {n: fault for n, fault in planted.items() if n not in refused}
    print(f"Building {len(planted)} faults; {left_out} cannot be expressed.", flush=True)
    build(tree, planted, room, shlex.split(arguments.under), scratch / "build.txt", arguments.check)
    refused_path.write_text(json.dumps([number for number in range(room) if number not in planted]))
    print(f"Built; {room - len(planted)} were refused.", flush=True)

    tests = Tests(tree, scratch, shlex.split(arguments.tests_under))
    pool = concurrent.futures.ThreadPoolExecutor(arguments.jobs)
    surveyed = survey(tests, planted, scratch / "survey.jsonl", pool)
    judged = dict(list(planted.items())[: arguments.count])
    reasons, counts, seconds = accepted(), {"killed": 0, "survived": 0, "not reached": 0}, 0.0
    explained = 0
    for fault, result in judge_all(tests, judged, surveyed, scratch / "verdicts.jsonl", pool):
        word = result["verdict"].partition(":")[0]
        counts[word] += 1
        seconds += result["seconds"]
        explained += word != "killed" and fault.key in reasons
    print(f"{counts['killed']} of {len(judged)} killed ({100 * counts['killed'] / max(len(judged), 1):.0f} %), "
          f"{counts['survived']} survived, {counts['not reached']} were not reached; "
          f"{explained} of these have a reason; {seconds / max(len(judged), 1):.1f} s each; seed {seed}.")
    if counts["survived"] + counts["not reached"] > explained:
        print(f"Each that was not killed wants a test, or its line and a reason in {ACCEPTED.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
