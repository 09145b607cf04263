#!/usr/bin/env python3
"""A script of first uses four ways, side by side as a Markdown table: lazy
loading, eager loading, traced (lazy, while recording), and run with the traced
plan. Each is a fresh process.

    compare.py [--digest] [--hold MS] [--primed-hold MS] [--out FOLDER] SCRIPT [ARGUMENT...]

A's kernel is released as soon as a call has been judged, so --primed-hold can
be long where nothing stalls.

SCRIPT prints a line `NAME host N ms B done N ms VERDICT` for each first use.
Exit status 0 when every run could be made, nothing stalled with the plan, and
(--digest: the script is given `--digest FILE`) all results had equal bits.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROW = re.compile(r"(?P<name>.*?) +host +(?P<host>[\d.]+) ms +B done +(?P<done>[\d.]+) ms +(?P<verdict>\w.*)")


def kplan():
    """That of the packed folder, else the one on PATH."""
    packed = HERE.parent / "bin" / "kplan"
    return str(packed) if packed.exists() else "kplan"


def run(title, command, environment, log):
    begin = time.time()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    log.write_text(f"$ {' '.join(command)}\n{done.stdout}\n--- stderr\n{done.stderr}\n--- exit {done.returncode}\n")
    rows = {match["name"]: match for match in map(ROW.fullmatch, done.stdout.splitlines()) if match}
    verdicts = [row["verdict"].lower() for row in rows.values()]
    return {
        "title": title, "status": done.returncode, "rows": rows, "seconds": time.time() - begin,
        "host": verdicts.count("host stall"), "device": verdicts.count("device stall"),
        "notes": [line for line in done.stderr.splitlines() if line.startswith("kplan")],
        "last": done.stdout.splitlines()[-1:] + done.stderr.splitlines()[-1:],
    }


def cell(column, name):
    row = column["rows"].get(name)
    if not row:
        return "cannot run"
    verdict = row["verdict"].lower()
    return f"{float(row['host']):.1f} / {float(row['done']):.1f}, " + (verdict if verdict == "ok" else f"**{verdict}**")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--digest", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--hold", help="the script's --hold without the plan")
    parser.add_argument("--primed-hold", help="the script's --hold with the plan")
    parser.add_argument("--skip-eager", action="store_true")
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    stem = options.script.stem
    plan = options.out / f"{stem}.yaml"
    digests = []

    def command(which):
        line = [sys.executable, str(options.script), *options.arguments]
        hold = options.primed_hold if which == "primed" else options.hold
        if hold:
            line += ["--hold", hold]
        if options.digest:
            digests.append(options.out / f"{stem}.{which}.digest")
            line += ["--digest", str(digests[-1])]
        return line

    def log(which):
        return options.out / f"{stem}.{which}.log"
    lazy, eager = {"CUDA_MODULE_LOADING": "LAZY"}, {"CUDA_MODULE_LOADING": "EAGER"}
    columns = [run("lazy", command("lazy"), lazy, log("lazy"))]
    if not options.skip_eager:
        columns.append(run("eager", command("eager"), eager, log("eager")))
    columns.append(run("traced", [kplan(), "trace", "-o", str(plan), "--", *command("traced")], lazy, log("traced")))
    columns.append(run("with the plan", [kplan(), "run", "--plan", str(plan), "--", *command("primed")], lazy,
                       log("primed")))

    print(f"| {stem}: host / done, ms | " + " | ".join(column["title"] for column in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in columns[0]["rows"]:
        print(f"| {name} | " + " | ".join(cell(column, name) for column in columns) + " |")
    print("| stalls, host + device | " + " | ".join(f"{c['host']} + {c['device']}" for c in columns) + " |")
    print("| whole process, s | " + " | ".join(f"{c['seconds']:.1f}" for c in columns) + " |\n")
    ok = True
    for column in columns:
        if not column["rows"] or column["status"] not in (0, 1):
            print(f"- {column['title']}: could not run, exit status {column['status']}: {column['last']}")
            ok = False
    for note in columns[-1]["notes"]:
        print(f"- {note}")
    if options.digest:
        files = [json.loads(path.read_text()) if path.exists() else None for path in digests]
        names = [name for name in files[0] or [] if any(not f or f.get(name) != files[0][name] for f in files)]
        print(f"- results: {len(files[0] or [])} compared bit for bit over {len(files)} runs, "
              f"{len(names)} differ{': ' if names else ''}{', '.join(names)}")
        ok &= not names and None not in files
    return 0 if ok and columns[-1]["status"] == 0 and not columns[-1]["host"] + columns[-1]["device"] else 1


if __name__ == "__main__":
    sys.exit(main())
