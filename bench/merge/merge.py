#!/usr/bin/env python3
"""How long `kplan merge` takes for many plans, against reading them.

Makes PLANS plans of KERNELS kernels each, of which a part is in every plan, and
prints the processor time of `kplan check` of all (which reads one after the other), that
of `kplan merge` of all, their ratio, and the most memory that each took.

  bench/merge/merge.py build/release/bin/kplan [--plans 100] [--kernels 10000] [--shared 0.5]
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def kernel(name, seed):
    return (
        f"- symbol: {name}\n"
        f"  name: void {name}<float, {seed % 64}>(float*, int)\n"
        "  linkage: external\n"
        "  attributes:\n"
        f"    max_dynamic_shared_size_bytes: {49152 + seed % 7 * 1024}\n"
        "  sites:\n"
        f'  - {{kind: set, at: "src/file{seed % 100}.cu:{seed + 1}:5", '
        f"attribute: max_dynamic_shared_size_bytes, value: {49152 + seed % 7 * 1024}}}\n"
        f'  - {{kind: launch, at: "src/file{seed % 100}.cu:{seed + 2}:3", shared: "smem"}}\n')


def plan(index, kernels, part):
    shared = int(kernels * part)
    text = "kplan: 1\nproducers:\n- {tool: kplan-scan, version: 0.1.0}\nkernels:\n"
    for k in range(kernels):
        name = f"_Z{k:07}shared" if k < shared else f"_Z{k:07}of{index:04}"
        text += kernel(name, k + (index if k < shared else 0))
    return text


def timed(command):
    """Seconds of processor time, and MiB at the most."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} {command[1]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kplan")
    parser.add_argument("--plans", type=int, default=100)
    parser.add_argument("--kernels", type=int, default=10000)
    parser.add_argument("--shared", type=float, default=0.5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index in range(options.plans):
            paths.append(pathlib.Path(folder, f"{index}.yaml"))
            paths[-1].write_text(plan(index, options.kernels, options.shared))
        read, read_mib = timed([options.kplan, "check", *paths])
        merge, merge_mib = timed(
            [options.kplan, "merge", *paths, "-o", pathlib.Path(folder, "merged.yaml")])
    print(f"{options.plans} plans of {options.kernels} kernels, {options.shared:.0%} in all: read {read:.1f} s "
          f"({read_mib:.0f} MiB), merge {merge:.1f} s ({merge_mib:.0f} MiB), "
          f"ratio {merge / read:.2f}")


if __name__ == "__main__":
    main()
