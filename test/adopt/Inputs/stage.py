#!/usr/bin/env python3
"""stage.py BIN DIR TEMPLATE: a plan with a store in DIR, which is made anew.

In the template ID(a.cubin) stands for the content id of that image, STORE(a.cubin)
for its origin in the store, FILE(a.cubin) for one in a file. All images are
in DIR under their own names as well.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

binaries, folder, template = (pathlib.Path(argument) for argument in sys.argv[1:])
os.umask(0o022)
shutil.rmtree(folder, ignore_errors=True)
(folder / "images").mkdir(parents=True)
ids, stored = {}, {}
for image in (binaries / "images").iterdir():
    ids[image.name] = subprocess.run([binaries / "image-id", image], check=True,
                                     capture_output=True, text=True).stdout.strip()
    stored[image.name] = f"images/{ids[image.name].removeprefix('xxh3:')}{image.suffix}"
    for copy in image.name, stored[image.name]:
        shutil.copyfile(image, folder / copy)


def expand(match):
    what, name = match.groups()
    if what == "ID":
        return ids[name]
    if what == "STORE":
        return f"{{store: {stored[name]}}}"
    size = (folder / name).stat().st_size
    return f"{{file: {folder / name}, offset: 0, size: {size}}}"


text = re.sub(r"(ID|STORE|FILE)\(([^)]*)\)", expand, template.read_text())
(folder / "plan.yaml").write_text(text)
