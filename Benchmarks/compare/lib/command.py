"""The command line: which scenarios, how many rounds, where the results go."""

import argparse
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from . import gateways, machine, real, report, scenarios
from .origin import Origin
from .process import Failure
from .runner import Runner, progress

REPOSITORY = Path(__file__).resolve().parents[3]
DESCRIPTORS = 12_000


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="Benchmarks/compare/run",
        description="Sluice beside nginx and HAProxy in one run: CPU per request, latency, memory.",
    )
    parser.add_argument("--only", action="append", choices=scenarios.NAMES, help="a scenario; may be given repeatedly")
    names = [kind.name for kind in gateways.ALL]
    parser.add_argument(
        "--gateway", action="append", choices=names, help="a gateway; may be given repeatedly (default: all)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (default 5)")
    parser.add_argument("--seconds", type=int, default=5, help="seconds of load per gateway and round (default 5)")
    parser.add_argument(
        "--sluice", type=Path, default=REPOSITORY / ".build/release/sluice", help="the binary to measure"
    )
    parser.add_argument("--documents", type=Path, help=f"folder of the real documents ({real.SOURCE})")
    parser.add_argument("--vectors", help="vector instructions that Sluice reads JSON with: sse2, avx2, avx512, …")
    parser.add_argument("--results", type=Path, default=default_results(), help="folder for the JSON results")
    parser.add_argument("--no-install", action="store_true", help="do not install missing Debian packages")
    return parser.parse_args(arguments)


def default_results():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "sluice" / "benchmarks"


def main(arguments=None):
    options = parse(arguments)
    options.sluice = options.sluice.resolve()
    # Ending by SIGTERM has to unwind too, so that every server is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    machine.check_cores()
    if not options.no_install:
        machine.install_packages()
    machine.raise_descriptor_limit(DESCRIPTORS)
    machine.stay_on_load_core()
    folder = Path(tempfile.mkdtemp(prefix="sluice-compare-"))
    try:
        return run(options, folder)
    except KeyboardInterrupt:
        return 130
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def participants(options):
    """The gateways that can take part; the others are told of."""
    able = []
    for gateway in (kind(options) for kind in gateways.ALL):
        if options.gateway and gateway.name not in options.gateway:
            continue
        reason = gateway.missing()
        if reason:
            print(f"{gateway.name}: left out, {reason}.")
        else:
            able.append(gateway)
    if not able:
        raise SystemExit("No gateway to measure.")
    return able


def run(options, folder):
    able = participants(options)
    wanted = options.only or scenarios.NAMES
    facts = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "kernel": platform.release(),
        "rounds": options.rounds,
        "seconds": options.seconds,
        "versions": {gateway.name: gateway.version() for gateway in able},
    }
    print("\n".join(f"{name}: {version}" for name, version in facts["versions"].items()) + "\n", flush=True)
    loaded, resting = {}, {}
    with Origin(folder, options.documents) as origin:
        runner = Runner(able, origin, folder, options.rounds, options.seconds)
        for scenario in scenarios.LOADED:
            if scenario.name in wanted and is_possible(scenario, origin, options):
                loaded[scenario.name] = runner.loaded(scenario)
                show(report.loaded_table(scenario, loaded[scenario.name]))
        for scenario in scenarios.RESTING:
            if scenario.name in wanted:
                resting[scenario.name] = runner.resting(scenario)
                show(report.resting_table(scenario, resting[scenario.name]))
    options.results.mkdir(parents=True, exist_ok=True)
    path = options.results / f"compare-{facts['time'].replace(':', '')}.json"
    report.write_json(path, facts, loaded, resting)
    print(f"Results: {path}")
    return 0


def is_possible(scenario, origin, options):
    """Whether the scenario's document is there; where it was asked for, it is told of."""
    if scenario.listing is None or scenario.listing in origin.documents:
        return True
    if options.only or options.documents:
        print(f"{scenario.name}: left out, --documents FOLDER has to hold {scenario.listing}.json ({real.SOURCE}).")
    return False


def show(table):
    progress("")
    print(table, flush=True)
