#!/usr/bin/env python3
"""same_options.py FISH ZSH BASH MAN: names each option that a command's help
has and one of these lacks, and what is wrong with the help itself."""
import pathlib
import re
import subprocess
import sys

fish, zsh, bash, manual = (pathlib.Path(name).read_text().replace("\\-", "-") for name in sys.argv[1:])
faults = []


def help_of(*words):
    return subprocess.run(["kplan", *words, "--help"], check=True, capture_output=True, text=True).stdout


def check_option(command, name):
    fish_name = f" -l {name[2:]}\\b" if name.startswith("--") else f" -s {name[1:]}\\b"
    for shell, found in (("fish", re.search(f"from {command}'.*{fish_name}", fish)),
                         ("zsh", name + "[" in zsh or name + "=[" in zsh or name + "+[" in zsh),
                         ("bash", re.search(rf"^  {command}\).*[ ']{name}[ ']", bash, re.M)),
                         ("the manual page", name in manual)):
        if not found:
            faults.append(f"{command}: {shell} lacks {name}")


commands = re.findall(r"^  ([a-z]+)  +[A-Z]", help_of(), re.M)
options = 0
for command in commands:
    text = help_of(command)
    if not re.search(r"^Examples?:\n  kplan ", text, re.M):
        faults.append(f"{command}: its help has no example")
    for line in re.findall(r"^  (?:-|    --).*", text, re.M):
        for name in re.findall(r"(?:(?<=^  )|(?<=, )|(?<=^      ))--?[a-z][a-z-]*", line):
            options += 1
            check_option(command, name)
if len(commands) < 8 or options < 40:
    faults.append(f"too few were found: {commands}, {options} options")
print("\n".join(faults))
sys.exit(1 if faults else 0)
