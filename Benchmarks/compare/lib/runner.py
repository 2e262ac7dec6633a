"""Rounds: every gateway in turn, over and over, so that a slow moment of the machine meets them all."""

import itertools
import shutil
import sys
import tempfile
from pathlib import Path

from . import client, growth, machine, rest
from .process import Failure, Server, wait_until


class Runner:
    def __init__(self, gateways, origin, folder, rounds, seconds):
        self.gateways = gateways
        self.origin = origin
        self.folder = folder
        self.rounds = rounds
        self.seconds = seconds
        self.counter = itertools.count()

    def loaded(self, scenario):
        """Samples per gateway, one per round; a gateway that fails is left out of the rest."""
        able = {
            g.name: g
            for g in self.gateways
            if (g.scenarios is None or scenario.name in g.scenarios) and (g.composes or not scenario.composes)
        }
        samples = {name: [] for name in able}
        for number in range(1, self.rounds + 1):
            for gateway in list(samples):
                progress(f"{scenario.name} {number}/{self.rounds} {gateway}")
                try:
                    samples[gateway].append(self.sample(scenario, able[gateway]))
                except (Failure, OSError) as failure:
                    leave_out(gateway, scenario, failure)
                    del samples[gateway]
        return samples

    def sample(self, scenario, gateway):
        """One round of one gateway, which has to give the right answer first."""
        with Prepared(self, gateway, scenario.workers) as running:
            wrong = scenario.check(gateway, self.origin, client.get(running.port, scenario.path))
            if wrong:
                raise Failure(wrong)
            port = gateway.http2_port(running.port) if scenario.http2 else running.port
            return scenario.run(running.server, port, scenario.path, self.seconds, running.folder)

    def resting(self, scenario):
        """Figures per gateway, one per round (start: five per round)."""
        able = {gateway.name: gateway for gateway in self.gateways if gateway.scenarios is None}
        figures = {name: [] for name in able}
        for number in range(1, self.rounds + 1):
            for gateway in list(figures):
                progress(f"{scenario.name} {number}/{self.rounds} {gateway}")
                try:
                    figures[gateway] += getattr(self, scenario.take)(able[gateway], *scenario.arguments)
                except (Failure, OSError) as failure:
                    leave_out(gateway, scenario, failure)
                    del figures[gateway]
        return figures

    def rest(self, gateway):
        with self.started(gateway) as running:
            return [rest.resident_at_rest(running.server, running.port) / 1e6]

    def start(self, gateway):
        figures = []
        for _ in range(5):
            prepared = Prepared(self, gateway)
            figures.append(rest.milliseconds_to_first_answer(prepared.start, prepared.port))
            prepared.remove()
        return figures

    def idle(self, gateway):
        with self.started(gateway) as running:
            return [rest.bytes_per_idle_connection(running.server, running.port)]

    def growth(self, gateway, count, is_slow):
        with self.started(gateway) as running:
            return [growth.bytes_per_download(running.server, running.port, count, is_slow) / 1024]

    def started(self, gateway):
        return Prepared(self, gateway)


class Prepared:
    """A configured gateway in a folder of its own; entered, it runs and answers."""

    def __init__(self, runner, gateway, workers=1):
        self.gateway = gateway
        self.workers = workers
        self.port = machine.free_port()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{next(runner.counter)}-{gateway.name}-", dir=runner.folder))
        origin_port = runner.origin.port_for(gateway)
        self.command = gateway.configure(self.folder, self.port, origin_port, workers)
        self.server = None

    def start(self):
        return Server(self.gateway.name, self.command, machine.gateway_cores(self.workers), self.folder / "log")

    def __enter__(self):
        self.server = self.start()
        try:
            wait_until(lambda: rest.answers(self.port), self.server)
        except BaseException:
            self.server.end()
            raise
        return self

    def __exit__(self, *_):
        self.server.end()
        self.remove()

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def leave_out(gateway, scenario, failure):
    progress("")
    print(f"{gateway}: left out of {scenario.name}: {failure}", flush=True)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
