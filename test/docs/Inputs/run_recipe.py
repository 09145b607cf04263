#!/usr/bin/env python3
"""Does what a recipe of a page says, in the working folder.

    run_recipe.py PAGE NUMBER

A recipe begins at `## NUMBER. `. A block below "`name`:" is a file of that name.
In console blocks each `$ ` is a command; the lines below it are what it prints,
where … stands for anything, and a line of … alone for any lines. A command that
fails is followed by `$ echo $?`. All run in one shell.
"""
import pathlib
import re
import subprocess
import sys


def recipe(page, number):
    text = pathlib.Path(page).read_text()
    found = re.search(rf"^## {number}\. .*?(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"{page}: no recipe {number}")
    return found[0]


def blocks(text):
    """Kind, name of the file or None, and content of each."""
    for found in re.finditer(r"(?:^`([^`\n]+)`:\n\n?)?^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        yield found[2], found[1], found[3]


def commands(block):
    """Each command with the lines that it is to print."""
    out = []
    for line in block.splitlines():
        if line.startswith("$ "):
            out.append([line[2:], []])
        elif out and out[-1][0].endswith("\\"):
            out[-1][0] += "\n" + line.removeprefix("> ")
        else:
            out[-1][1].append(line)
    return out


def matches(said, expected):
    pattern = ""
    for line in expected:
        if line == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, said) is not None


def run(all_commands):
    # The status of each command is that which the next one sees.
    script = "s=0\n"
    for i, (command, _) in enumerate(all_commands):
        script += f"exec > out.{i} 2>&1; (exit $s)\n{command}\ns=$?; echo $s > status.{i}\n"
    subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, check=False)


def judge(all_commands):
    for i, (command, expected) in enumerate(all_commands):
        said = pathlib.Path(f"out.{i}").read_text()
        status = pathlib.Path(f"status.{i}").read_text().strip()
        is_asked = i + 1 < len(all_commands) and all_commands[i + 1][0] == "echo $?"
        if status != "0" and not is_asked:
            sys.exit(f"$ {command}\n{said}exits with {status}")
        if expected and not matches(said, expected):
            sys.exit(f"$ {command}\nprints:\n{said}and not:\n" + "\n".join(expected))


def main():
    page, number = sys.argv[1:]
    all_commands = []
    for kind, name, content in blocks(recipe(page, number)):
        if name:
            pathlib.Path(name).write_text(content)
        elif kind == "console":
            all_commands += commands(content)
    if not all_commands:
        sys.exit(f"recipe {number} has no command")
    run(all_commands)
    judge(all_commands)
    print(f"recipe {number}: {len(all_commands)} commands do what the page says")


main()
