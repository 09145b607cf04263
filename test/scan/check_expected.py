#!/usr/bin/env python3
"""Checks kplan-scan against a folder of inputs with expected.tsv.

check_expected.py KPLAN_SCAN CASES [SCRATCH]

Each input is scanned alone. Every row must come out, and no other kernel, no
other attribute, no other global, and no other number of unresolved sites or
of sites in templates. Prints one line for each difference.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

COUNTED = ("unresolved", "templates")


def unquote(text):
    """A scalar of the plan: kplan quotes only where YAML asks for it."""
    if text.startswith('"'):
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text


def read_plan(text):
    """The (symbol, attribute, value) rows of a plan in kplan's own layout."""
    rows = set()
    section = symbol = None
    attributes, kinds, in_attributes = {}, set(), False
    counts = collections.Counter()

    def close():
        if symbol is None:
            return
        for name, value in attributes.items():
            rows.add((symbol, name, value))
        if not attributes:
            kind = "launch" if "launch" in kinds or "device_launch" in kinds else "query"
            rows.add((symbol, kind, "-"))

    for line in text.splitlines():
        if re.match(r"\w+:", line):
            close()
            symbol, section = None, line.split(":")[0]
            attributes, kinds = {}, set()
        elif section == "kernels":
            if m := re.match(r"- symbol: (.*)", line):
                close()
                symbol, attributes, kinds = unquote(m[1]), {}, set()
            elif m := re.match(r"  (\w+):", line):
                in_attributes = m[1] == "attributes"
            elif in_attributes and (m := re.match(r"    (\w+): (.*)", line)):
                attributes[m[1]] = m[2]
            elif m := re.match(r"  - \{kind: (\w+)", line):
                kinds.add(m[1])
        elif section == "globals" and (m := re.match(r"- \{symbol: ([^,}]*)", line)):
            rows.add((unquote(m[1]), "global", "-"))
        elif section in COUNTED and line.startswith("- "):
            counts[section] += 1
        elif section == "conflicts" and line.startswith("- "):
            rows.add((line, "conflict", "-"))
    close()
    return rows, counts


def check(scan, folder, name, expected, scratch):
    plan = os.path.join(scratch, name + ".yaml")
    command = [scan, os.path.join(folder, name), "-o", plan]
    with open(os.path.join(folder, name), encoding="utf-8") as source:
        if "Compile as C++20" in source.read():
            command += ["--", "-std=c++20"]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if run.returncode != 0:
        return [f"{name}: {' '.join(command)} exited {run.returncode}:\n{run.stderr}"]
    with open(plan, encoding="utf-8") as file:
        rows, counts = read_plan(file.read())
    problems = []
    wanted = collections.Counter()
    for symbol, attribute, value in expected:
        if attribute in COUNTED:
            wanted[attribute] = int(value)
            continue
        fits = {(symbol, attribute, v) for v in value.split("|")} & rows
        if not fits:
            problems.append(f"{name}: missing: {symbol} {attribute} {value}")
        rows -= fits
    problems += [f"{name}: not expected: {' '.join(row)}" for row in sorted(rows)]
    for section in COUNTED:
        if counts[section] != wanted[section]:
            problems.append(
                f"{name}: {counts[section]} {section}, expected {wanted[section]}")
    return problems


def main():
    scan, folder = sys.argv[1:3]
    files = {}
    with open(os.path.join(folder, "expected.tsv"), encoding="utf-8") as table:
        for line in table:
            if not line.startswith("#"):
                name, *row = line.rstrip("\n").split("\t")
                files.setdefault(name, []).append(row)
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, expected in files.items():
            problems += check(scan, folder, name, expected, scratch)
    for problem in problems:
        print(problem)
    rows = sum(len(expected) for expected in files.values())
    print(f"{rows} rows of {len(files)} files, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
