#!/usr/bin/env python3
"""First use of code that is compiled while the program runs: Triton,
torch.compile, CuPy and CuPy's RawKernel, beside a long kernel.

Prints one row each and the counts; exit status 1 when any stalled. Knows
nothing of kplan.
"""
import argparse
import sys

import torch

from beside import Bench


def triton_call():
    import triton
    import triton.language as tl

    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)

    x, y = torch.arange(1000.0, device="cuda"), torch.ones(1000, device="cuda")
    out = torch.empty(1000, device="cuda")

    def call():
        add[(4,)](x, y, out, 1000, BLOCK=256)
        return out
    return call, lambda: torch.equal(out.cpu(), torch.arange(1000.0) + 1)


def compile_call():
    x = torch.linspace(-3, 3, 4096, device="cuda").reshape(64, 64)

    @torch.compile
    def fused(value):
        return torch.sin(value) * torch.sigmoid(value) + value.sum(1, keepdim=True)

    results = []

    def call():
        results.append(fused(x))
        return results[-1]
    value = x.cpu()
    expected = torch.sin(value) * torch.sigmoid(value) + value.sum(1, keepdim=True)
    return call, lambda: torch.allclose(results[-1].cpu(), expected, atol=1e-4)


def cupy_calls():
    import cupy

    def on_current_stream(call):
        def run():
            with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
                return call()
        return run
    x = cupy.asarray(torch.arange(256.0, device="cuda"))
    out = cupy.empty_like(x)
    raw = cupy.RawKernel(r"""
        extern "C" __global__ void triple(const float *x, float *out) {
          out[threadIdx.x] = 3 * x[threadIdx.x];
        }""", "triple")
    tanh, sums = [], []
    yield "CuPy RawKernel", on_current_stream(lambda: raw((1,), (256,), (x, out))), lambda: float(out[7]) == 21
    yield "CuPy elementwise", on_current_stream(lambda: tanh.append(cupy.tanh(x) * 2)), lambda: float(tanh[0][255]) == 2
    yield "CuPy sum", on_current_stream(lambda: sums.append(x.sum())), lambda: float(sums[-1]) == 255 * 128


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hold", type=float, default=3000.0, metavar="MS",
                        help="how long A's kernel runs if nobody releases it: longer than the calls' own CPU "
                             "work. Compilers keep what they made on disk: run once before")
    options = parser.parse_args()
    calls = [("Triton", *triton_call()), ("torch.compile", *compile_call()), *cupy_calls()]
    bench = Bench(options.hold)
    for name, call, _ in calls:
        bench.measure(name, call)
    torch.cuda.synchronize()
    wrong = [name for name, _, right in calls if not right()]
    for name in wrong:
        print(f"{name}: WRONG RESULT")
    return bench.finish() or bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
