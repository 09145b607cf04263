#!/usr/bin/env python3
"""First use of many PyTorch operators beside a long kernel in another green context.

Prints one row an operator and the counts; exit status 1 when any stalled. With
--digest, writes a SHA-256 of each result: equal files mean equal bits. Knows
nothing of kplan: run it plainly, under `kplan trace`, and under `kplan run`.
"""
import argparse
import hashlib
import json
import os
import sys

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # deterministic cuBLAS

import torch
import torch.nn.functional as F

from beside import Bench


def inputs():
    generator = torch.Generator().manual_seed(1)

    def make(*shape, dtype=torch.float32):
        return torch.randn(*shape, generator=generator).to(dtype).cuda()

    def integers(high, *shape):
        return torch.randint(high, shape, generator=generator).cuda()

    return make, integers


def operators():
    torch.manual_seed(3)
    make, integers = inputs()
    half, bf16, f8 = torch.float16, torch.bfloat16, torch.float8_e4m3fn
    x, y, square = make(64, 512), make(64, 512), make(256, 256)
    xb, xh = make(64, 512, dtype=bf16), make(64, 512, dtype=half)
    wb, wh, wf = make(1024, 512, dtype=bf16), make(1024, 512, dtype=half), make(1024, 512)
    image, image_h = make(4, 16, 32, 32), make(4, 16, 32, 32, dtype=half)
    kernel, kernel_h = make(32, 16, 3, 3), make(32, 16, 3, 3, dtype=half)
    depthwise, transposed = make(16, 1, 3, 3), make(16, 8, 3, 3)
    line, line_kernel = make(4, 16, 128), make(8, 16, 5)
    cube, cube_kernel = make(2, 4, 8, 8, 8), make(4, 4, 3, 3, 3)
    q = make(2, 8, 128, 64, dtype=bf16)
    mask = torch.ones(128, 128, dtype=torch.bool).tril().cuda()
    rows, labels = integers(64, 32), integers(512, 64)
    table, ids = make(1000, 128), integers(1000, 64)
    batch_a, batch_b = make(8, 64, 32), make(8, 32, 48)
    i8 = torch.randint(-8, 8, (32, 64), dtype=torch.int8).cuda()
    f8_a, f8_b = (make(64, 512).to(f8), make(256, 512).to(f8).t()) if hasattr(torch, "_scaled_mm") else (None, None)
    one = torch.ones((), device="cuda")
    spd = (lambda m: m @ m.T + 256 * torch.eye(256))(square.cpu()).cuda()
    sparse = torch.eye(64).to_sparse_csr().cuda()
    weights = torch.rand(64).cuda()
    grid = (make(4, 16, 16, 2) / 4).clamp(-1, 1)
    leaf = make(64, 512).requires_grad_()
    model = torch.nn.Sequential(torch.nn.Linear(512, 256), torch.nn.GELU(), torch.nn.Linear(256, 64)).cuda()
    adam = torch.optim.AdamW(model.parameters(), lr=1e-3)
    fused = torch.optim.AdamW([leaf], lr=1e-3, fused=True)
    torch.cuda.synchronize()
    attention = torch.nn.attention.sdpa_kernel
    backend = torch.nn.attention.SDPBackend

    def sdpa(which, **more):
        with attention(which):
            return F.scaled_dot_product_attention(q, q, q, **more)

    def backward():
        return torch.autograd.grad(F.cross_entropy(model(x)[:, :64], labels % 64), list(model.parameters()))

    def optimizer_step():
        for parameter in model.parameters():
            parameter.grad = torch.ones_like(parameter)
        adam.step()
        return [parameter.detach().clone() for parameter in model.parameters()]

    def fused_step():
        leaf.grad = torch.ones_like(leaf)
        fused.step()
        return leaf.detach().clone()

    def graph():
        static = xb.clone()
        captured = torch.cuda.CUDAGraph()
        captured.capture_begin()  # torch.cuda.graph() would synchronise the device
        out = torch.erf(static) * 3
        captured.capture_end()
        captured.replay()
        return out

    def seeded(call):
        def run():
            torch.cuda.manual_seed(7)
            return call()
        return run

    table_of = [
        ("blas handle", lambda: torch.cuda.current_blas_handle()),
        ("linear bf16 64x512x1024", lambda: F.linear(xb, wb)),
        ("linear bf16 1x512x1024", lambda: F.linear(xb[:1], wb)),
        ("linear bf16 7x512x1024", lambda: F.linear(xb[:7], wb)),
        ("linear fp16", lambda: F.linear(xh, wh)),
        ("linear fp32", lambda: F.linear(x, wf)),
        ("linear fp16 with bias", lambda: F.linear(xh, wh, wh[:, 0].contiguous())),
        ("matmul square fp32", lambda: square @ square),
        ("matmul fp64", lambda: square.double() @ square.double()),
        ("bmm", lambda: torch.bmm(batch_a, batch_b)),
        ("baddbmm", lambda: torch.baddbmm(torch.zeros(8, 64, 48, device="cuda"), batch_a, batch_b)),
        ("einsum", lambda: torch.einsum("bij,bjk->bik", batch_a, batch_b)),
        ("int8 matmul", lambda: torch._int_mm(i8, i8.t().contiguous())),
        ("fp8 matmul", lambda: torch._scaled_mm(f8_a, f8_b, scale_a=one, scale_b=one, out_dtype=bf16)),
        ("matrix-vector", lambda: torch.mv(square, square[0])),
        ("dot", lambda: torch.dot(x[0], y[0])),
        ("conv1d", lambda: F.conv1d(line, line_kernel)),
        ("conv2d fp32", lambda: F.conv2d(image, kernel, padding=1)),
        ("conv2d fp16", lambda: F.conv2d(image_h, kernel_h, padding=1)),
        ("conv2d channels last", lambda: F.conv2d(image_h.to(memory_format=torch.channels_last), kernel_h)),
        ("conv2d depthwise", lambda: F.conv2d(image, depthwise, groups=16)),
        ("conv_transpose2d", lambda: F.conv_transpose2d(image, transposed)),
        ("conv3d", lambda: F.conv3d(cube, cube_kernel)),
        ("conv2d backward", lambda: torch.autograd.grad(
            F.conv2d(image, k := kernel.clone().requires_grad_()).sum(), k)[0]),
        ("attention flash", lambda: sdpa(backend.FLASH_ATTENTION)),
        ("attention efficient", lambda: sdpa(backend.EFFICIENT_ATTENTION, attn_mask=mask)),
        ("attention math", lambda: sdpa(backend.MATH)),
        ("attention cudnn", lambda: sdpa(backend.CUDNN_ATTENTION, is_causal=True)),
        ("sum", lambda: x.sum()),
        ("mean over rows", lambda: x.mean(0)),
        ("var", lambda: x.var(1)),
        ("prod", lambda: x.prod(1)),
        ("max with index", lambda: x.max(1)),
        ("argmax", lambda: x.argmax()),
        ("norm", lambda: torch.linalg.vector_norm(x, dim=1)),
        ("logsumexp", lambda: torch.logsumexp(x, 1)),
        ("cumsum", lambda: x.cumsum(1)),
        ("any", lambda: (x > 3).any(1)),
        ("sort", lambda: torch.sort(x, 1)),
        ("sort, long", lambda: torch.sort(x.flatten())),
        ("topk", lambda: torch.topk(x, 5)),
        ("kthvalue", lambda: torch.kthvalue(x, 7)),
        ("unique", lambda: torch.unique(labels)),
        ("searchsorted", lambda: torch.searchsorted(x.sort(1)[0], y)),
        ("index_select", lambda: x.index_select(0, rows)),
        ("gather", lambda: torch.gather(x, 1, labels[:, None])),
        ("scatter", lambda: torch.zeros_like(x).scatter(1, labels[:, None], 1.0)),
        ("index_put", lambda: torch.zeros_like(x).index_put((rows,), torch.ones(32, 512, device="cuda"), accumulate=True)),
        ("masked_select", lambda: x.masked_select(x > 0)),
        ("nonzero", lambda: (x > 2).nonzero()),
        ("embedding", lambda: F.embedding(ids, table)),
        ("one_hot", lambda: F.one_hot(labels, 512)),
        ("where", lambda: torch.where(x > 0, x, y)),
        ("cat", lambda: torch.cat([x, y])),
        ("roll", lambda: x.roll(3, 1)),
        ("tril", lambda: square.tril()),
        ("pad", lambda: F.pad(image, (1, 2, 3, 4), mode="reflect")),
        ("fft", lambda: torch.fft.fft(x)),
        ("rfft2", lambda: torch.fft.rfft2(image)),
        ("fft, odd length", lambda: torch.fft.fft(x[:, :509])),
        ("fft, another odd length", lambda: torch.fft.fft(x[:, :503])),  # a plan each, not a first use of code
        ("sparse matmul", lambda: sparse @ x),
        ("to_sparse", lambda: (x * (x > 1)).to_sparse().values()),
        ("randn", seeded(lambda: torch.randn(64, 64, device="cuda"))),
        ("bernoulli", seeded(lambda: torch.bernoulli(torch.full((64, 64), 0.5, device="cuda")))),
        ("multinomial", seeded(lambda: torch.multinomial(weights, 16))),
        ("randperm", seeded(lambda: torch.randperm(3000, device="cuda"))),
        ("dropout", seeded(lambda: F.dropout(x, 0.3))),
        ("gelu", lambda: F.gelu(x)),
        ("silu bf16", lambda: F.silu(xb)),
        ("sigmoid", lambda: torch.sigmoid(x)),
        ("pow", lambda: x.abs().pow(1.7)),
        ("softmax", lambda: torch.softmax(x, -1)),
        ("log_softmax bf16", lambda: torch.log_softmax(xb, -1)),
        ("layer_norm", lambda: F.layer_norm(x, (512,))),
        ("rms_norm", lambda: F.rms_norm(xb, (512,))),
        ("group_norm", lambda: F.group_norm(image, 4)),
        ("batch_norm", lambda: F.batch_norm(image, torch.zeros(16, device="cuda"), torch.ones(16, device="cuda"))),
        ("cross_entropy", lambda: F.cross_entropy(x, labels)),
        ("max_pool2d", lambda: F.max_pool2d(image, 2)),
        ("avg_pool2d", lambda: F.avg_pool2d(image, 2)),
        ("interpolate", lambda: F.interpolate(image, scale_factor=2, mode="bilinear")),
        ("grid_sample", lambda: F.grid_sample(image, grid, align_corners=False)),
        ("cholesky", lambda: torch.linalg.cholesky(spd)),
        ("solve", lambda: torch.linalg.solve(spd, square)),
        ("qr", lambda: torch.linalg.qr(square)[1]),
        ("svd values", lambda: torch.linalg.svdvals(square)),
        ("backward pass", backward),
        ("AdamW step, foreach", optimizer_step),
        ("AdamW step, fused", fused_step),
        ("captured graph", graph),
    ]
    return table_of


def digest(result):
    if isinstance(result, torch.Tensor):
        return hashlib.sha256(result.detach().cpu().reshape(-1).view(torch.uint8).numpy().tobytes()).hexdigest()
    if isinstance(result, (tuple, list)):
        return [digest(part) for part in result]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hold", type=float, default=600.0, metavar="MS",
                        help="how long A's kernel runs if nobody releases it; longer than any call's own CPU work")
    parser.add_argument("--digest", metavar="FILE", help="write a SHA-256 of every result")
    parser.add_argument("--json", metavar="FILE", help="write the rows")
    options = parser.parse_args()
    torch.use_deterministic_algorithms(True, warn_only=True)

    table = operators()
    bench = Bench(options.hold)
    results = {}
    for name, call in table:
        try:
            results[name] = bench.measure(name, call)
        except (RuntimeError, NotImplementedError) as error:  # e.g. not for this GPU
            bench.blocker.release()
            torch.cuda.synchronize()
            print(f"{name:28s} cannot run here: {str(error).splitlines()[0]}")
    torch.cuda.synchronize()
    if options.digest:
        with open(options.digest, "w", encoding="utf-8") as file:
            json.dump({name: digest(result) for name, result in results.items()}, file, indent=1)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(bench.rows, file, indent=1)
    return bench.finish()


if __name__ == "__main__":
    sys.exit(main())
