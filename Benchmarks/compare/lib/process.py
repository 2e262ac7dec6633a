"""A server under test: started on its cores, measured through /proc, always ended."""

import os
import signal
import subprocess
import time
from pathlib import Path

from . import machine

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """A server that ended, or did not do what it is there for."""


class Server:
    """A process and whatever it forks."""

    def __init__(self, name, command, cores, log):
        self.name = name
        self.log = log
        with open(log, "ab") as output:
            # The child inherits this process's affinity; taskset would add its own exec to the start-up time.
            os.sched_setaffinity(0, cores)
            try:
                self.process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    close_fds=False,
                    start_new_session=True,
                )
            finally:
                machine.stay_on_load_core()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                for pid in reversed(self.pids()):
                    kill(pid)
        self.process.wait()

    def assert_alive(self):
        if self.process.poll() is not None:
            tail = Path(self.log).read_text(errors="replace")[-2000:]
            raise Failure(f"{self.name} ended with {self.process.returncode}:\n{tail}")

    def pids(self):
        """The process and its descendants, parents first."""
        children = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                fields = stat_fields(int(entry.name))
                if fields:
                    children.setdefault(int(fields[1]), []).append(int(entry.name))
        found = [self.process.pid]
        for pid in found:
            found.extend(children.get(pid, []))
        return found

    def workers(self):
        """The processes that serve: all, but for a master that only watches over them."""
        pids = self.pids()
        return pids[1:] or pids

    def cpu_seconds(self):
        """User + system of all processes so far."""
        ticks = 0
        for pid in self.pids():
            fields = stat_fields(pid)
            if fields:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS_PER_SECOND

    def peak_bytes(self):
        return sum(status_bytes(pid, "status", "VmHWM") for pid in self.pids())

    def forget_peak(self):
        """From now on `peak_bytes` is the peak since (proc(5), clear_refs)."""
        for pid in self.pids():
            Path(f"/proc/{pid}/clear_refs").write_text("5")

    def resident_bytes(self):
        return sum(status_bytes(pid, "status", "VmRSS") for pid in self.pids())

    def resident_file_bytes(self):
        """Those of them that are pages of files."""
        return sum(status_bytes(pid, "status", "RssFile") for pid in self.pids())

    def worker_resident_bytes(self):
        return sum(status_bytes(pid, "status", "VmRSS") for pid in self.workers())

    def proportional_bytes(self):
        return sum(status_bytes(pid, "smaps_rollup", "Pss") for pid in self.pids())


def stat_fields(pid):
    """/proc/PID/stat from the state on: index 1 is the parent, 11 and 12 are utime and stime (proc(5))."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return text[text.rindex(")") + 2 :].split()


def status_bytes(pid, file, key):
    try:
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def wait_until(condition, server, seconds=10.0):
    """Polls until `condition` holds, for so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        server.assert_alive()
        if time.monotonic() > deadline:
            raise Failure(f"{server.name} did not answer within {seconds:g} s.")
        time.sleep(0.0002)
