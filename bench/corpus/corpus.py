#!/usr/bin/env python3
"""Runs kplan-scan on translation units of public projects.

    corpus.py --work DIR fetch [--mirror DIR]   bring the sources of projects.tsv
    corpus.py --work DIR draw                   draw the TUs by the seed
    corpus.py --work DIR run                    one result a TU; goes on where it stopped
    corpus.py --work DIR report [-o FILE]       write the page

projects.tsv pins each project; one with a reason in its last column is not run.
"""
import argparse
import bisect
import collections
import datetime
import fnmatch
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SEED = 20261201
MOST_TUS = 150
MOST_NVCC = 60
SOURCES = (".cu", ".cuh", ".h", ".hpp", ".hxx", ".inl", ".inc", ".c", ".cpp", ".cc", ".in", ".def")
SETS = r"cudaFuncSetAttribute|cudaKernelSetAttributeForDevice|cuFuncSetAttribute|" \
       r"cuKernelSetAttribute|cudaFuncSetCacheConfig|cuFuncSetCacheConfig|cuKernelSetCacheConfig"
LAUNCHES = r"cudaLaunchKernel(?:ExC?)?|cudaLaunchCooperativeKernel|cuLaunchKernel(?:Ex)?|" \
           r"cuLaunchCooperativeKernel|cuLaunch|cuLaunchGrid(?:Async)?|" \
           r"(?:cuda|cu)Graph(?:AddKernelNode|(?:Exec)?KernelNodeSetParams)"
SITE = re.compile(rf"\b(?P<set>{SETS})\s*\(|(?P<launch><<<|\b(?:{LAUNCHES})\s*\()")
SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])*\'', re.S)
LINE_MARK = re.compile(r'# (\d+) "([^"]*)"')


def blank(text):
    """The text without comments and literals; every character keeps its place."""
    return SKIP.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def lexical_sites(text):
    """Set and launch sites of one file as (kind, first line, last line, class).

    The class is what the text alone explains, or empty."""
    text = blank(text)
    starts = [m.start() for m in re.finditer(r"^", text, re.M)]
    line = lambda at: bisect.bisect_right(starts, at)
    macros, at = set(), 0
    lines = text.split("\n")
    while at < len(lines):
        if re.match(r"\s*#\s*define\b", lines[at]):
            while lines[at].rstrip().endswith("\\") and at + 1 < len(lines):
                macros.add(at + 1)
                at += 1
            macros.add(at + 1)
        at += 1
    for m in SITE.finditer(text):
        begin = max(text.rfind(c, 0, m.start()) for c in ";{}") + 1
        begin += len(text[begin:]) - len(text[begin:].lstrip())
        last = line(m.start())
        why = "macro definition" if last in macros else enclosing(text, m.start())
        yield ("set" if m["set"] else "launch"), min(line(begin), last), last, why


def enclosing(text, at):
    """Device code or a discarded branch, by the heads of the blocks around."""
    depth, why = 0, ""
    while at > 0:
        at -= 1
        if text[at] == "}":
            depth += 1
        elif text[at] == "{":
            depth -= 1
            if depth < 0:
                depth = 0
                head = text[max(text.rfind(c, 0, at) for c in ";{}") + 1:at]
                if "__global__" in head or ("__device__" in head and "__host__" not in head):
                    return "device code"
                if re.search(r"\bif\s+constexpr\b|\belse\s*$", head):
                    why = "if constexpr" if "constexpr" in head else why
    return why


def classify(lexical, found, templates, lines):
    """Pairs each lexical site with the plan's; returns Counter by kind/class and
    the unexplained. found, templates: sets of (kind, line); lines: those that
    the preprocessor kept, or None where that is not known."""
    count, unexplained = collections.Counter(), []
    for kind, first, last, why in lexical:
        span = range(first, last + 1)
        if any((kind, n) in found or (kind == "launch" and ("device_launch", n) in found) for n in span):
            result = "found"
        elif any((kind, n) in templates for n in span):
            result = "template never instantiated"
        elif why == "macro definition":
            result = why
        elif lines is not None and last not in lines:
            result = "#if"
        else:
            result = why or "unexplained"
        count[kind + ": " + result] += 1
        if result == "unexplained":
            unexplained.append([kind, last])
    return count, unexplained


def draw(files, quota, seed):
    """Any order of the files gives the same TUs, in the order to run them."""
    files = sorted(files)
    random.Random(seed).shuffle(files)
    return files[:quota]


def read_projects(path=HERE / "projects.tsv"):
    rows = [l.split("\t") for l in path.read_text().splitlines() if l and l[0] != "#"]
    return [dict(zip(("name", "url", "commit", "quota", "files", "flags", "arch", "reason"), r)) for r in rows]


def save(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(data if isinstance(data, str) else json.dumps(data, indent=1) + "\n")
    os.replace(temporary, path)


def timed(command, limit, **more):
    begin = time.monotonic()
    try:
        r = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit, **more)
        return r.returncode, r.stdout, r.stderr, time.monotonic() - begin
    except subprocess.TimeoutExpired:
        return None, "", "time limit", time.monotonic() - begin


def fetch(args):
    for p in read_projects():
        to = args.work / "src" / p["name"]
        if p["reason"] or (to / ".complete").exists():
            continue
        to.mkdir(parents=True, exist_ok=True)
        git = to / ".git"
        if args.mirror:
            git = args.mirror / "+".join(p["url"].rstrip("/").split("/")[-2:]) / "repo"
        elif not git.exists():
            subprocess.run(["git", "clone", "--quiet", "--no-checkout", p["url"], str(to)], check=True)
        base = ["git", f"--git-dir={git}"]
        names = subprocess.run(base + ["ls-tree", "-rz", "--name-only", p["commit"]], check=True,
                               capture_output=True, text=True).stdout.split("\0")
        names = [n for n in names if n.endswith(SOURCES) or "/include/" in n]
        archive = subprocess.Popen(base + ["archive", p["commit"], "--"] + [":(literal)" + n for n in names],
                                   stdout=subprocess.PIPE)
        subprocess.run(["tar", "x", "-C", str(to)], stdin=archive.stdout, check=True)
        if archive.wait():
            sys.exit(f"corpus.py: {p['name']}: git archive failed")
        (to / ".complete").touch()


def draw_all(args):
    rounds = []
    for p in read_projects():
        if p["reason"]:
            continue
        root = args.work / "src" / p["name"]
        files = [str(f.relative_to(root)) for f in root.rglob("*.cu")]
        files = [f for f in files if any(fnmatch.fnmatch(f, g) for g in p["files"].split())]
        rounds += [(n, p["name"], f) for n, f in enumerate(draw(files, int(p["quota"]), SEED))]
    rounds.sort(key=lambda r: r[0])  # every project is reached early
    save(args.work / "drawn.json", [r[1:] for r in rounds[:MOST_TUS]])


def kept_lines(command, cwd):
    """Lines by file that are left after preprocessing."""
    command = ["-E" if c == "-fsyntax-only" else c for c in command]
    rc, out, _, _ = timed(command, 300, cwd=cwd)
    if rc != 0:
        return None
    kept, file, n = collections.defaultdict(set), "", 0
    for text in out.split("\n"):
        if m := LINE_MARK.match(text):
            file, n = os.path.realpath(os.path.join(cwd, m[2])), int(m[1])
        else:
            if text.strip():
                kept[file].add(n)
            n += 1
    return kept


def run_tu(args, p, file, try_nvcc):
    import yaml  # PyYAML, only to read plans
    root = (args.work / "src" / p["name"]).resolve()
    state = (args.work / "tmp").resolve()
    state.mkdir(exist_ok=True)
    flags = [f.replace("{root}", str(root)) for f in shlex.split(p["flags"])]
    nvcc = ["nvcc", *flags, f"-arch={p['arch']}"]
    save(state / "compile_commands.json",
         [{"directory": str(root), "file": file, "arguments": nvcc + ["-c", file]}])
    scan = [args.scan, "-p", str(state), "--root", str(root)]
    plan = state / "plan.yaml"
    plan.unlink(missing_ok=True)
    result = {"project": p["name"], "file": file, "load": os.getloadavg()[0]}
    rc, out, err, _ = timed(scan + ["--print-command", str(root / file)], 60)
    if rc != 0:
        return result | {"parsed": False, "message": err[-2000:]}
    folder, command = out.strip().split(" && ", 1)
    folder, command = shlex.split(folder)[1], shlex.split(command)
    rc, _, err, result["clang_seconds"] = timed(command, args.limit, cwd=folder)
    result["clang_ok"] = rc == 0
    rc, _, err, result["seconds"] = timed(scan + ["--jobs=1", "-o", str(plan), str(root / file)], args.limit)
    result["parsed"] = rc == 0 and "error:" not in err
    result["message"] = "" if result["parsed"] else err[:2000]
    if plan.exists():
        # As text: YAML 1.1 would make numbers of some names.
        data = yaml.load(plan.read_text(), Loader=yaml.BaseLoader) or {}
        sites = [s for k in data.get("kernels", []) for s in k.get("sites", [])]
        unresolved = data.get("unresolved", [])
        place = lambda s: (s["at"].rsplit(":", 2)[0], (s["kind"], int(s["at"].rsplit(":", 2)[1])))
        found, templates = collections.defaultdict(set), collections.defaultdict(set)
        for s in sites + unresolved:
            found[place(s)[0]].add(place(s)[1])
        for s in data.get("templates", []):
            templates[place(s)[0]].add(place(s)[1])
        result["set_sites"] = len({s["at"] for s in sites + unresolved if s["kind"] == "set"})
        result["unresolved_sets"] = len({s["at"] for s in unresolved if s["kind"] == "set"})
        result["reasons"] = collections.Counter(s["why"] for s in unresolved)
        kept = kept_lines(command, folder)
        lexical, unexplained = collections.Counter(), []
        own = [f for f in kept or {str(root / file): 0} if f.startswith(str(root) + os.sep) and os.path.isfile(f)]
        for f in own:
            name = os.path.relpath(f, root)
            text = pathlib.Path(f).read_text(errors="replace")
            count, bad = classify(lexical_sites(text), found[name], templates[name], kept and kept[f])
            lexical += count
            unexplained += [[name, *b] for b in bad]
        result |= {"lexical": lexical, "unexplained": unexplained}
        result["symbols"] = [k["symbol"] for k in data.get("kernels", []) if "*" not in k["symbol"]]
    if try_nvcc:
        ptx = state / "out.ptx"
        rc, _, err, seconds = timed(nvcc + ["-ptx", "-o", str(ptx), file], args.nvcc_limit, cwd=root)
        result |= {"nvcc": "accepted" if rc == 0 else "time limit" if rc is None else "refused",
                   "nvcc_seconds": seconds, "nvcc_message": "" if rc == 0 else err[:1000]}
        if rc == 0:
            entries = set(re.findall(r"\.entry\s+([\w$]+)", ptx.read_text()))
            result["not_entries"] = sorted(set(result.pop("symbols", [])) - entries)
    return result


def results(args):
    return [json.loads(f.read_text()) for f in sorted((args.work / "results").glob("*.json"))]


def run(args):
    projects = {p["name"]: p for p in read_projects()}
    tried = sum("nvcc" in r for r in results(args))
    for name, file in json.loads((args.work / "drawn.json").read_text()):
        to = args.work / "results" / f"{name}+{file.replace('/', '+')}.json"
        if to.exists():
            continue
        r = run_tu(args, projects[name], file, tried < MOST_NVCC)
        tried += "nvcc" in r
        save(to, r)
        print(name, file, "parsed" if r["parsed"] else "NOT PARSED", r.get("nvcc", ""), flush=True)


def report(args):
    rows, everything = [], results(args)
    drawn = collections.Counter(n for n, _ in json.loads((args.work / "drawn.json").read_text()))

    def row(name, rs, of):
        accepted = [r for r in rs if r.get("nvcc") == "accepted"]
        both = [r for r in rs if r["parsed"] and r.get("clang_ok")]
        lexical = sum((collections.Counter(r.get("lexical", {})) for r in rs), collections.Counter())
        total = lambda kind: sum(v for k, v in lexical.items() if k.startswith(kind))
        hit = lambda kind: lexical[kind + ": found"]
        ours, clangs = sum(r["seconds"] for r in both), sum(r["clang_seconds"] for r in both)
        return (f"| {name} | {len(rs)} of {of} | {len(accepted)} of {sum('nvcc' in r for r in rs)} | "
                f"{sum(r['parsed'] for r in rs)} | {sum(r['parsed'] for r in accepted)} of {len(accepted)} | "
                f"{hit('set')} of {total('set')} | {hit('launch')} of {total('launch')} | "
                f"{sum(len(r.get('unexplained', [])) for r in rs)} | "
                f"{sum(r.get('unresolved_sets', 0) for r in rs)} of {sum(r.get('set_sites', 0) for r in rs)} | "
                f"{sum(len(r.get('not_entries', [])) for r in rs)} | {ours:.0f} | "
                f"{f'{ours / clangs:.2f}' if clangs else '-'} |")

    for p in read_projects():
        mine = [r for r in everything if r["project"] == p["name"]]
        rows.append(row(p["name"], mine, drawn[p["name"]]) if mine else
                    f"| {p['name']} | not run: {p['reason'] or 'no time yet'} |" + " |" * 10)
    rows.append(row("**all**", everything, sum(drawn.values())))
    classes = sum((collections.Counter(r.get("lexical", {})) for r in everything), collections.Counter())
    reasons = sum((collections.Counter(r.get("reasons", {})) for r in everything), collections.Counter())
    accepted = [r for r in everything if r.get("nvcc") == "accepted"]
    share = lambda part, whole: f"{100 * part / whole:.1f} % ({part} of {whole})" if whole else "nothing to count"
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    listing = lambda lines: "\n".join(lines) or "None."
    load = [r["load"] for r in everything] or [0]
    page = f"""# kplan-scan on public projects

Written by `bench/corpus/corpus.py report` on {datetime.date.today()}, from `corpus.py
fetch`, `draw` (seed {SEED}) and `run`. {os.cpu_count()} processors ({cpu[1] if cpu else 'unknown'}), no GPU
needed; one job. Other work ran on the machine (load {min(load):.1f} to {max(load):.1f}), so seconds are rough and
only the ratio, of two runs one after the other, says something.

Counted is a site in each TU that reads it: a header's counts many times. Ratio:
kplan-scan, alone on one TU, to `clang++-22 -fsyntax-only --cuda-host-only`.

| project | TUs run | nvcc accepts, of tried | parsed | parsed of accepted | sets found, of lexical | launches found, of lexical | unexplained | sets unresolved | symbols not in PTX | seconds | ratio |
|---|---|---|---|---|---|---|---|---|---|---|---|
{listing(rows)}

## Goals

- 99 % of the TUs that nvcc accepts parse: {share(sum(r['parsed'] for r in accepted), len(accepted))}.
- No lexical site without an explanation: {sum(len(r.get('unexplained', [])) for r in everything)} unexplained.
- Under 5 % of sets unresolved (JIT code is not told apart): {share(sum(r.get('unresolved_sets', 0) for r in everything), sum(r.get('set_sites', 0) for r in everything))}.

Of the {sum('nvcc' in r for r in everything)} TUs that nvcc tried, {sum(r.get('nvcc') == 'time limit' for r in everything)} ran into the time limit and {sum(r.get('nvcc') == 'refused' for r in everything)} were refused.
Drawn but not run: {sum(drawn.values()) - len(everything)} TUs.

A wrapper whose callers are in other TUs is unresolved here, as every TU is
scanned alone. The classes below are read from the text (the blocks around a
site, and which lines the preprocessor keeps): `if constexpr` means only that one
is around the site.

## Lexical sites by class

{listing(f'- {k}: {v}' for k, v in sorted(classes.items()))}

## Commonest reasons for unresolved sites (all kinds)

{listing(f'- {v}: {k}' for k, v in reasons.most_common(3))}

## Unexplained sites

{listing(sorted({f"- {r['project']}: `{f}:{n}`, {k}" for r in everything for f, k, n in r.get('unexplained', [])}))}

## Symbols in a plan that are no entry of the PTX

{listing(sorted({f"- {r['project']}: `{r['file']}`: `{s}`" for r in everything for s in r.get('not_entries', [])}))}

## TUs that do not parse

{listing(f"- {r['project']}: `{r['file']}` (nvcc: {r.get('nvcc', 'not tried')})" for r in everything if not r['parsed'])}
"""
    save(args.output, page)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("step", choices=["fetch", "draw", "run", "report"])
    a.add_argument("--work", type=pathlib.Path, required=True, help="folder for sources and state")
    a.add_argument("--mirror", type=pathlib.Path, help="local git directories, OWNER+NAME/repo")
    a.add_argument("--scan", default="kplan-scan")
    a.add_argument("--limit", type=int, default=600, help="seconds for a scan")
    a.add_argument("--nvcc-limit", type=int, default=300)
    a.add_argument("-o", dest="output", type=pathlib.Path, default=HERE.parents[1] / "docs/corpus.md")
    args = a.parse_args()
    {"fetch": fetch, "draw": draw_all, "run": run, "report": report}[args.step](args)


if __name__ == "__main__":
    main()
