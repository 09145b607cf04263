"""Runs a command; at each line "ready" of its output, the next step.

    session.py STEP... -- COMMAND...

A step is the arguments of `kplan seal` behind the process id, which go with its
output to standard output. The command goes on after it. Where it prints "pid N",
that is the process to ask.
"""
import os
import shlex
import subprocess
import sys

end = sys.argv.index("--")
steps, command = sys.argv[1:end], sys.argv[end + 1:]
process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           text=True)
environment = {name: value for name, value in os.environ.items()
               if name != "LD_PRELOAD"}
asked_process = process.pid
for line in process.stdout:
    if line.startswith("pid "):
        asked_process = int(line.split()[1])
        continue
    if line != "ready\n":
        print(line, end="", flush=True)
        continue
    step = steps.pop(0)
    print(f"[kplan seal {step}]", flush=True)
    asked = subprocess.run(["kplan", "seal", str(asked_process), *shlex.split(step)],
                           env=environment)
    print(f"[exit {asked.returncode}]", flush=True)
    process.stdin.write("\n")
    process.stdin.flush()
sys.exit(process.wait())
