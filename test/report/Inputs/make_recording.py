#!/usr/bin/env python3
"""Writes a recording of a program that never ran, as large as is asked for.

    make_recording.py FILE CALLS [--plan] [--processes N]

Four threads launch on six streams; with --plan the same calls are primed and
none waits. Names contain markup and other bytes that a page must not trust.
"""
import argparse
import random
import urllib.parse

NAMES = ["_Z4gemmIfLi128EEvPT_", "_Z6reducePKfPfi", "_Z9<img/src=x>", "_Z4copyPvS_", "</script><script>bad()</script>",
         "\u00fcnic\u00f6de \u202e kernel", "a&b\"c'd"]


def escaped(text):
    return urllib.parse.quote(text, safe="_<>()/;:*&\"'")


def call(out, at, ns, thread, api, **fields):
    more = "".join(f" {key}={value}" for key, value in fields.items() if value)
    out.write(f"call at={at} ns={ns} thread={thread} api={api}{more}\n")


def process(out, number, calls, planned, chance):
    began = 10_000_000_000_000
    out.write(f"process version=2 id={1000 + number} program=/opt/{escaped('<b>serve')} at={began} date=1796108585360366267\n")
    out.write("driver version=580.159.04 loading=lazy\n")
    out.write("device name=NVIDIA%20H200 sms=132 arch=90\n")
    for thread in range(4):
        out.write(f"thread number={2000 + number * 10 + thread} name={escaped(['main', 'worker', 'loader', '<i>x'][thread])}\n")
    for stream in range(1, 7):
        out.write(f"stream number={stream}{' default=1' if stream == 1 else ''}\n")
    out.write("load handle=1 by=library image=xxh3:9fb74d52d9deb7440a1b2c3d4e5f6071 kind=cubin file=/opt/libkernels.so size=9\n")
    for kernel, name in enumerate(NAMES):
        out.write(f"kernel handle={100 + kernel} library=1 symbol={escaped(name)}\n")
    if planned:
        out.write(f"prime at={began + 1000} ns=180000000 thread={2000 + number * 10} libraries=25 functions=2839 device_bytes=260000000\n")
        out.write(f"seal at={began + 181_000_000}\n")
    times = [began + 200_000_000] * 4
    seen = set()
    for i in range(calls):
        thread = chance.randrange(4)
        kernel, stream = chance.randrange(len(NAMES)), 1 + chance.randrange(6)
        first = (thread, kernel) not in seen or chance.random() < .002
        seen.add((thread, kernel))
        stalls = first and not planned and chance.random() < .5
        ns = chance.randrange(20_000_000, 300_000_000) if stalls else int(chance.lognormvariate(8.3, .8))
        api = chance.choice(["cuKernelSetAttribute", "cuLaunchKernel"]) if first else "cuLaunchKernel"
        launch = api == "cuLaunchKernel"
        call(out, times[thread], ns, 2000 + number * 10 + thread, api, purpose="launch" if launch else "set",
             handle=100 + kernel, stream=stream if launch else 0, first=int(first),
             in_flight=",".join(str(s) for s in range(1, 7) if s != stream and s % 2) if first else 0, stall=int(stalls))
        if planned and i == calls // 2:
            out.write(f"escape kind=touch api={api} symbol={escaped(NAMES[kernel])} thread={2000 + number * 10 + thread} at={times[thread] + 1} ns={ns}\n")
        times[thread] += ns + int(chance.expovariate(1 / 8000))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("calls", type=int)
    parser.add_argument("--plan", action="store_true", help="primed: nothing waits")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(7)
    with open(given.file, "w", encoding="ascii") as out:
        for number in range(given.processes):
            process(out, number, given.calls // given.processes, given.plan, chance)


main()
