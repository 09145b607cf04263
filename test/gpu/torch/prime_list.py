#!/usr/bin/env python3
"""Turns a traced plan into what prime_cost reads.

    prime_list.py PLAN > LIST       (kplan on PATH, or that of the packed folder)
"""
import json
import pathlib
import subprocess
import sys

from compare import kplan


def main():
    path = pathlib.Path(sys.argv[1])
    plan = json.loads(subprocess.run([kplan(), "show", "--json", path], check=True, capture_output=True).stdout)
    kernels = {}
    for kernel in plan.get("kernels", []):
        kernels.setdefault(kernel.get("image"), set()).add(kernel["symbol"])
    for image in plan.get("images", []):
        origin = image["origin"]
        if "store" in origin:
            file = path.parent / origin["store"]
            offset, size = 0, file.stat().st_size
        else:
            file, offset, size = origin["file"], int(str(origin["offset"]), 0), origin["size"]
        for _ in range(image.get("copies", 1)):
            print("image", file, offset, size, image.get("loader", "library"))
            for symbol in sorted(kernels.get(image["id"], ())):
                print("kernel", symbol)


if __name__ == "__main__":
    main()
