#!/usr/bin/env python3
"""Runs a build folder's unit tests and lit suites; prints failures and counts.

The last line is `N passed, N failed, N skipped`. A skipped test is one whose
machine lacks what it needs (a GPU, mostly). Exit status 1 when a test failed
or none ran.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def run_unit_test(program, scratch):
    """A GoogleTest program's counts; a crash counts as one failure."""
    counts = Counts()
    report = pathlib.Path(scratch, program.name + ".json")
    run = subprocess.run(
        [program, "--gtest_brief=1", f"--gtest_output=json:{report}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    suites = json.loads(report.read_text())["testsuites"] if report.exists() else []
    for case in (case for suite in suites for case in suite["testsuite"]):
        if case.get("failures"):
            counts.failed += 1
        elif case["result"] == "SKIPPED":
            counts.skipped += 1
        elif case["result"] == "COMPLETED":
            counts.passed += 1
    if run.returncode != 0 and counts.failed == 0:
        counts.failed += 1
        print(f"{program.name} ended with status {run.returncode}")
    if counts.failed:
        print(run.stdout)
    return counts


def run_lit(build, lit, scratch):
    """Counts of each suite (first folder below test/)."""
    report = pathlib.Path(scratch, "lit.json")
    run = subprocess.run(
        [lit, "-q", "--output", report, "--timeout", "900",
         f"-j{os.cpu_count()}", build / "test"])
    suites = {}
    for test in json.loads(report.read_text())["tests"] if report.exists() else []:
        name = test["name"].split(" :: ", 1)[1].split("/")[0]
        counts = suites.setdefault(name, Counts())
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            counts.passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED"):
            counts.skipped += 1
        else:
            counts.failed += 1
    if run.returncode != 0 and not any(c.failed for c in suites.values()):
        suites["lit"] = Counts()
        suites["lit"].failed = 1
        print(f"lit ended with status {run.returncode}")
    return suites


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    build = parser.parse_args().build

    total = Counts()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for line in (build / "test/unit-tests.txt").read_text().split():
            rows.append((pathlib.Path(line).name, run_unit_test(pathlib.Path(line), scratch)))
        lit = (build / "test/lit-program.txt").read_text().strip()
        rows += [("test/" + name, c) for name, c in sorted(run_lit(build, lit, scratch).items())]
    width = max(len(name) for name, _ in rows)
    for name, counts in rows:
        total.add(counts)
        print(f"{name:{width}s}  {counts}")
    if not any(name == "test/gpu" and c.passed for name, c in rows):
        print("No GPU here: the GPU suite is unsupported on this machine and was not run.")
    print(total)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
