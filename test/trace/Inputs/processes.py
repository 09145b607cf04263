"""Uses the driver in processes of multiprocessing, forked and spawned."""
import ctypes
import multiprocessing


def use(number):
    cuda = ctypes.CDLL("libcuda.so.1")
    context, module, function = (ctypes.c_void_p() for _ in range(3))
    name = b"kernel%d" % number
    image = b".version 8.0\n.target sm_75\n.visible .entry %s()\n{\nret;\n}\n" % name
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert cuda.cuCtxSetCurrent(context) == 0
    assert cuda.cuModuleLoadData(ctypes.byref(module), image) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(function), module, name) == 0
    assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None) == 0


if __name__ == "__main__":
    for first, method in (10, "fork"), (20, "spawn"):
        processes = [multiprocessing.get_context(method).Process(target=use, args=(first + i,))
                     for i in range(2)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
            assert process.exitcode == 0
    use(1)
