#!/usr/bin/env python3
"""How long a report of many calls takes: to write, to load, to move and zoom in.

    bench/report/run.py [--calls 100000] [--kplan build/release/bin/kplan]

Needs Chromium. The recording is made up (test/report/Inputs/make_recording.py);
prints milliseconds and asserts nothing.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test" / "report" / "Inputs"
sys.path.insert(0, str(INPUTS))
from browser import Browser, find  # noqa: E402

# Each frame is drawn within the page: from the key to the end of the drawing.
FRAMES = """new Promise(done => {
  const box = document.getElementById('lanes-0'), times = [];
  box.focus();
  const step = i => {
    if (i === %d) return done(times);
    const begin = performance.now();
    box.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}));
    requestAnimationFrame(() => { times.push(performance.now() - begin); setTimeout(step, 0, i + 1); });
  };
  step(0);
})"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100000)
    parser.add_argument("--kplan", default=ROOT / "build" / "release" / "bin" / "kplan")
    given = parser.parse_args()
    if not find():
        sys.exit("needs Chromium")
    with tempfile.TemporaryDirectory() as folder:
        recording, page = f"{folder}/run.rec", f"{folder}/report.html"
        subprocess.run([sys.executable, INPUTS / "make_recording.py", recording, str(given.calls)], check=True)
        begin = time.monotonic()
        subprocess.run([given.kplan, "report", recording, "-o", page], check=True, stderr=subprocess.DEVNULL)
        print(f"write {given.calls} calls: {(time.monotonic() - begin) * 1000:.0f} ms, "
              f"{pathlib.Path(page).stat().st_size / 1e6:.1f} MB")
        with Browser() as browser:
            opened = browser.open(page)
            load = opened.evaluate("(t => t.loadEventEnd - t.startTime)(performance.getEntriesByType('navigation')[0])")
            print(f"load: {load:.0f} ms")
            # All of it in view, then a tenth.
            for name, keys in (("zoom", "+-"), ("pan, all in view", ("ArrowRight",)), ("pan, a tenth in view", ("ArrowRight",))):
                if name.endswith("tenth in view"):
                    for _ in range(5):
                        opened.key("+")
                times = [t for key in keys for t in opened.evaluate(FRAMES % (20, key))]
                print(f"{name}: {statistics.median(times):.1f} ms a frame, {max(times):.1f} at most")
            if opened.errors:
                print("errors:", *opened.errors, sep="\n  ")


main()
