#!/usr/bin/env python3
"""The first token of a small Llama beside a neighbour that keeps launching kernels.

The model (transformers, random weights from a fixed seed) runs in green context
B; in A kernels of --neighbour milliseconds follow each other without a gap.
Prints the time of the first token, of the next ones, and the tokens. Knows
nothing of kplan.
"""
import argparse
import json
import sys
import threading
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from beside import Blocker
from torch.cuda.green_contexts import GreenContext


class Neighbour(threading.Thread):
    """Keeps stream A busy: while one kernel runs, the next is in its queue."""

    def __init__(self, stream, milliseconds, depth=2):
        super().__init__(daemon=True)
        self.stream, self.milliseconds, self.depth = stream, milliseconds, depth
        self.blocker = Blocker()
        self.ending = threading.Event()
        self.launched = 0

    def fill(self):
        self.events = [event for event in self.events if not event.query()]
        while len(self.events) < self.depth:
            self.blocker.start(self.stream, self.milliseconds)
            event = torch.cuda.Event()
            event.record(self.stream)
            self.events.append(event)
            self.launched += 1

    def begin(self):
        self.events = []
        self.fill()
        self.start()

    def run(self):
        while not self.ending.wait(self.milliseconds / 4e3):
            self.fill()

    def end(self):
        self.ending.set()
        self.blocker.release()
        self.join()
        self.blocker.release()
        self.stream.synchronize()


def make_model(layers, hidden):
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=32000, hidden_size=hidden, intermediate_size=hidden * 4,
                         num_hidden_layers=layers, num_attention_heads=hidden // 64,
                         num_key_value_heads=hidden // 128, max_position_embeddings=2048)
    return LlamaForCausalLM(config).to(torch.bfloat16).eval().cuda()


def prompt(length, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(32000, (1, length), generator=generator)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=1024)
    parser.add_argument("--tokens", type=int, default=8, help="how many tokens to generate for each prompt")
    parser.add_argument("--lengths", default="64", help="prompt lengths, comma separated; the first is measured")
    parser.add_argument("--neighbour", type=float, default=50.0, metavar="MS", help="0: idle GPU")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()

    model = make_model(options.layers, options.hidden)
    contexts = [GreenContext.create(num_sms=64) for _ in range(2)]
    a, b = (context.Stream() for context in contexts)
    neighbour = Neighbour(a, options.neighbour)
    neighbour.blocker.start(a, 0)
    prompts = [prompt(int(length), seed).cuda() for seed, length in enumerate(options.lengths.split(","))]
    torch.cuda.synchronize()
    if options.neighbour:
        neighbour.begin()

    tokens, times, begin = [], [], time.perf_counter()
    with torch.inference_mode(), torch.cuda.stream(b):
        for ids in prompts:
            past, current = None, ids
            for _ in range(options.tokens):
                start = time.perf_counter()
                out = model(input_ids=current, past_key_values=past, use_cache=True)
                past, current = out.past_key_values, out.logits[:, -1:].argmax(-1)
                b.synchronize()
                times.append((time.perf_counter() - start) * 1e3)
                tokens.append(current)
    seconds = time.perf_counter() - begin
    if options.neighbour:
        neighbour.end()
    tokens = [int(token) for token in tokens]
    busy = min(1, (neighbour.launched - neighbour.depth) * options.neighbour / 1e3 / seconds) if options.neighbour else 0

    print(f"first token {times[0]:.1f} ms; second {times[1]:.1f} ms; the others' median "
          f"{sorted(times[2:])[len(times[2:]) // 2]:.1f} ms; "
          f"the neighbour's kernels filled {busy:.0%} of {seconds:.1f} s")
    print("tokens", *tokens)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"times_ms": times, "tokens": tokens, "neighbour_busy": busy}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
