#!/usr/bin/env python3
"""Requests to a small Llama, with prompts of lengths that no trace has seen.

A first part of the process serves the lengths of --known; then it seals, where
it runs under kplan, and serves --requests prompts whose lengths are drawn by
--seed. Under `kplan run --learn` what was not planned is in the plan of the next
run. Prints the times, and how many escapes there were.
"""
import argparse
import os
import random
import sys
import time

import torch

from llama import make_model, prompt

try:
    import kplan
except ImportError:
    kplan = None


def serve(model, ids, tokens):
    past, current, out = None, ids, []
    for _ in range(tokens):
        result = model(input_ids=current, past_key_values=past, use_cache=True)
        past, current = result.past_key_values, result.logits[:, -1:].argmax(-1)
        out.append(current)
    return [int(token) for token in out]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--known", default="64")
    parser.add_argument("--requests", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=4)
    options = parser.parse_args()
    model = make_model(4, 1024)
    with torch.inference_mode():
        for length in options.known.split(","):
            serve(model, prompt(int(length), 0).cuda(), options.tokens)
        torch.cuda.synchronize()
        sealed = kplan is not None and os.environ.get("KPLAN_PLAN")
        if sealed:
            kplan.seal()
        chance = random.Random(options.seed)
        lengths = [chance.randrange(1, 1500) for _ in range(options.requests)]
        times, digest = [], 0
        for index, length in enumerate(lengths):
            begin = time.perf_counter()
            tokens = serve(model, prompt(length, index).cuda(), options.tokens)
            times.append((time.perf_counter() - begin) * 1e3)
            digest = hash((digest, *tokens))
        if sealed:
            escapes = kplan.escapes()
            print("escapes", len(escapes), *sorted({escape.kind for escape in escapes}))
            kplan.unseal()
    if times:
        times.sort()
        print(f"{len(times)} requests: median {times[len(times) // 2]:.1f} ms, "
              f"95th percentile {times[len(times) * 95 // 100]:.1f} ms, most {times[-1]:.1f} ms; tokens {digest & 0xffffffff:08x}")
    free, total = torch.cuda.mem_get_info()
    print(f"device memory used: {(total - free) / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
