#!/usr/bin/env python3
"""two_tenants three ways: lazy loading without a plan, eager loading without a
plan, and with the plan, side by side as a Markdown table.

Each run is a fresh process. Exit status 0 when every run could be made and
nothing stalled with the plan.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROW = re.compile(r"(?P<what>.*?) +(?P<where>\w+\.cu) +(?P<host>[\d.]+) +(?P<done>[\d.]+)  (?P<verdict>.+)")


def run(title, command, environment):
    """One column: what the program printed, row by row."""
    result = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment})
    lines = result.stdout.splitlines()
    rows = [match.groupdict() for match in map(ROW.fullmatch, lines) if match]
    return {
        "title": title,
        "command": " ".join([f"{name}={value}" for name, value in environment.items()
                             if name != "LD_LIBRARY_PATH"] + [shown(part) for part in command]),
        "device": lines[0] if lines else "",
        "status": result.returncode,
        "summary": lines[-1] if rows else "could not run",
        "notes": [line for line in lines[1:-1]
                  if line and not ROW.fullmatch(line) and not line.startswith("first use on")],
        "errors": result.stderr.strip(),
        "rows": rows,
    }


def shown(part):
    path = pathlib.Path(part)
    return path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else part


def cell(row):
    verdict = row["verdict"] if row["verdict"] == "ok" else f"**{row['verdict']}**"
    return f"{float(row['host']):.2f} / {float(row['done']):.2f} ms, {verdict}"


def print_table(columns):
    print("| first use on B (host / done) | " + " | ".join(c["title"] for c in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for rows in zip(*(c["rows"] for c in columns)):
        print(f"| {rows[0]['what']} | " + " | ".join(map(cell, rows)) + " |")
    print("| | " + " | ".join(c["summary"] for c in columns) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=HERE / "bin/two_tenants", type=pathlib.Path)
    parser.add_argument("--plan", default=HERE / "plans/two_tenants.yaml", type=pathlib.Path)
    parser.add_argument("--hold-ms", default="150")
    parser.add_argument("--json", type=pathlib.Path, help="also write everything to this file")
    options = parser.parse_args()

    program = [str(options.program), "--hold-ms", options.hold_ms]
    primed = program + ["--plan", str(options.plan)]
    library_path = {}
    if (HERE / "lib").is_dir():
        folders = [str(HERE / "lib"), os.environ.get("LD_LIBRARY_PATH")]
        library_path["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, folders))
    columns = [
        run("lazy, no plan", program, {**library_path, "CUDA_MODULE_LOADING": "LAZY"}),
        run("eager, no plan", program, {**library_path, "CUDA_MODULE_LOADING": "EAGER"}),
        run("with the plan", primed, {**library_path, "CUDA_MODULE_LOADING": "LAZY"}),
    ]
    if options.json:
        options.json.write_text(json.dumps(columns, indent=1))

    print(f"{columns[0]['device']}; {datetime.date.today()}\n")
    print_table(columns)
    print()
    for column in columns:
        print(f"- {column['title']}: `{column['command']}`, exit status {column['status']}")
        for line in column["errors"].splitlines():
            print(f"  - {line}")
    for line in columns[-1]["notes"]:
        print(f"- with the plan: {line}")
    ran = all(c["rows"] and c["status"] in (0, 1) for c in columns)
    return 0 if ran and columns[-1]["status"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
