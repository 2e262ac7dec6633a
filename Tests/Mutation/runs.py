"""Runs tests of a build that has many faults in it: once per suite without any, then with one of them at a time."""

import os
import re
import signal
import subprocess
import threading
import time

BUNDLE = ".build/debug/sluicePackageTests.xctest"
# Simulations play some of their seeds: all of them are too many for each fault. Whoever would print the stack of a crash
# may outlive it, with its output in hand.
QUIET = {"NO_COLOR": "1", "SLUICE_SEEDS": "240", "SWIFT_BACKTRACE": "enable=no"}
# A target of so many suites runs as a whole.
SMALL = 35
PASSED = re.compile(r"Test (.+?)(?: with \d+ test cases?)? passed after ([\d.]+) seconds")


class Tests:
    """The test bundle of a tree."""

    def __init__(self, tree, scratch, under):
        self.tree, self.scratch, self.under = tree, scratch, under

    def run(self, filters, seconds, environment, skipped=()):
        """The first sign that something is wrong, or None; and the lines that the run printed."""
        command = [*self.under, str(self.tree / BUNDLE), "--testing-library", "swift-testing"]
        for text in filters:
            command += ["--filter", text]
        for text in skipped:
            command += ["--skip", text]
        process = subprocess.Popen(
            command, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={**os.environ, **QUIET, **environment}, start_new_session=True, text=True, errors="replace")
        late = threading.Timer(seconds, self.end, [process])
        late.start()
        begun, lines, sign = time.monotonic(), [], None
        for line in process.stdout:
            lines.append(line)
            if "recorded an issue" in line or line.startswith("✘"):
                sign = line.strip()
                break
        if sign:
            self.end(process)
        status = process.wait()
        process.stdout.close()
        late.cancel()
        if not sign and time.monotonic() - begun >= seconds:
            sign = "took too long"
        if not sign and status != 0:
            sign = f"ended with {status}: {''.join(lines[-1:]).strip()}"
        return sign, lines

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    def suites(self, targets):
        """What is surveyed by itself: small targets (`Target.`), of large ones each suite (`Target.Suite/`)."""
        command = [*self.under, str(self.tree / BUNDLE), "--testing-library", "swift-testing", "--list-tests"]
        listed = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=True).stdout
        found = {}
        for line in listed.splitlines():
            target, _, rest = line.partition(".")
            if target in targets:
                found.setdefault(target, set()).add(rest.partition("/")[0].partition("(")[0] + "/" * ("/" in rest))
        units = []
        for target, suites in found.items():
            units += [target + "."] if len(suites) <= SMALL else [f"{target}.{suite}" for suite in sorted(suites)]
        return units

    def survey(self, suite):
        """What a suite does without a fault: what fails, its seconds, which tests are slow, which faults it reaches."""
        path = self.scratch / f"reached-{suite.strip('/')}.txt"
        path.unlink(missing_ok=True)
        begun = time.monotonic()
        sign, lines = self.run(["^" + re.escape(suite)], 900, {"SLUICE_FAULTS_REACHED": str(path)})
        seconds = time.monotonic() - begun
        slow = [m[1] for m in map(PASSED.search, lines) if m and "(" in m[1] and float(m[2]) >= 2]
        reached = []
        if path.exists():
            reached = sorted({int(number) for number in path.read_text().split()})
            path.unlink()
        return {"sign": sign, "seconds": seconds, "slow": slow, "reached": reached}

    def judge(self, number, suites, survey):
        """What the tests say of a fault: the first complaint, or None.

        `suites` are those that reach it, near ones first. Slow tests come last.
        """
        groups = {}
        for suite in suites:
            groups.setdefault(suite.partition(".")[0], []).append(suite)
        for slow_ones in (False, True):
            for group in groups.values():
                slow = [f"^{re.escape(s)}.*{re.escape(t)}" for s in group for t in survey[s]["slow"]]
                filters = slow if slow_ones else ["^" + re.escape(suite) for suite in group]
                if not filters:
                    continue
                limit = 60 + 5 * sum(survey[suite]["seconds"] for suite in group)
                sign, _ = self.run(filters, limit, {"SLUICE_FAULT": str(number)}, () if slow_ones else slow)
                if sign:
                    return sign
        return None
