"""Calls beside a running kernel: which of them wait for it?

Two green contexts of PyTorch: A runs a blocking kernel, B is where the call is
made. Whether a call waited is answered by asking whether A's kernel still runs,
not by comparing times: the kernel ends when the host releases it, or after a
time-out.
"""
import ctypes
import time

import torch
from torch.cuda.green_contexts import GreenContext

# One thread a block; leaves when *release is set or its time is over.
HOLD_PTX = b"""
.version 8.0
.target sm_75
.address_size 64
.visible .entry hold(.param .u64 release, .param .u64 nanoseconds) {
  .reg .pred %p<3>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [release];
  ld.param.u64 %rd2, [nanoseconds];
  mov.u64 %rd3, %globaltimer;
  add.u64 %rd4, %rd3, %rd2;
SPIN:
  ld.volatile.u32 %r1, [%rd1];
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd5, %globaltimer;
  setp.lt.u64 %p2, %rd5, %rd4;
  @%p2 bra SPIN;
DONE:
  ret;
}
"""

cuda = ctypes.CDLL("libcuda.so.1")


def check(error):
    if error:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(error, ctypes.byref(name))
        raise RuntimeError((name.value or b"unknown error").decode())


class Blocker:
    """Launches kernels that hold a stream until they are released."""

    def __init__(self):
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(module), HOLD_PTX))
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, b"hold"))
        self.flag = ctypes.POINTER(ctypes.c_int)()
        check(cuda.cuMemHostAlloc(ctypes.byref(self.flag), ctypes.c_size_t(4), 3))  # portable, mapped

    def start(self, stream, milliseconds):
        self.flag[0] = 0
        release = ctypes.c_uint64(ctypes.addressof(self.flag.contents))
        nanoseconds = ctypes.c_uint64(int(milliseconds * 1e6))
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(release), ctypes.addressof(nanoseconds))
        check(cuda.cuLaunchKernel(self.function, 1, 1, 1, 1, 1, 1, 0,
                                  ctypes.c_void_p(stream.cuda_stream), arguments, None))

    def release(self):
        self.flag[0] = 1


class Bench:
    """The two contexts. `measure` makes a call on B beside A's kernel."""

    def __init__(self, hold_ms):
        self.hold_ms = hold_ms
        torch.cuda.init()
        # A stream does not keep its context alive.
        self.contexts = [GreenContext.create(num_sms=64) for _ in range(2)]
        self.a, self.b = (context.Stream() for context in self.contexts)
        self.blocker = Blocker()
        self.blocker.start(self.a, 0)  # its own first use
        torch.cuda.synchronize()
        self.rows = []

    def measure(self, name, call):
        self.blocker.start(self.a, self.hold_ms)
        start = time.perf_counter()
        with torch.cuda.stream(self.b):
            result = call()
        host = time.perf_counter() - start
        waited = self.a.query()
        while not self.b.query():
            pass
        done = time.perf_counter() - start
        verdict = "host stall" if waited else "device stall" if self.a.query() else "ok"
        self.blocker.release()
        self.a.synchronize()
        self.rows.append({"name": name, "host_ms": host * 1e3, "done_ms": done * 1e3, "verdict": verdict})
        print(f"{name:28s} host {host * 1e3:9.3f} ms   B done {done * 1e3:9.3f} ms   {verdict}", flush=True)
        return result

    def stalls(self):
        host = sum(row["verdict"] == "host stall" for row in self.rows)
        device = sum(row["verdict"] == "device stall" for row in self.rows)
        return host, device

    def finish(self):
        """The last line; the exit status is 1 when anything stalled."""
        host, device = self.stalls()
        print(f"{len(self.rows)} first uses, {host} host stalls, {device} device stalls")
        return 1 if host or device else 0
