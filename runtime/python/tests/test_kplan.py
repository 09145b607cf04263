"""The module under the preload library, on the stand-in driver.

Run by test/run/python.test, which preloads the library and tells the plan.
"""

import ctypes
import os
import subprocess
import sys
import unittest

import kplan

# As in test/run/Inputs/Actor.cpp, whose trace is the plan.
PTX = (b".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 one_v;\n"
       b".visible .entry one_a()\n{\n  ret;\n}\n"
       b".visible .entry one_b()\n{\n  ret;\n}\n")


class Driver:
    """What the tests need of the driver API."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        result = getattr(self.cuda, name)(*arguments)
        if result:
            raise RuntimeError(f"{name}: {result}")

    def load(self):
        library = ctypes.c_void_p()
        self.call("cuLibraryLoadData", ctypes.byref(library), PTX, None, None, 0,
                  None, None, 0)
        return library

    def use(self, library, name):
        kernel, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuLibraryGetKernel", ctypes.byref(kernel), library, name)
        self.call("cuKernelGetFunction", ctypes.byref(function), kernel)


class KplanTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = Driver()

    def test_version(self):
        self.assertRegex(kplan.version(), r"^\d+\.\d+\.\d+$")

    def test_prime_reports(self):
        report = kplan.prime(os.environ["TEST_PLAN"])
        self.assertIn("primed device 0", report.text)
        self.assertEqual(report.counts["functions"], 1)
        self.assertEqual(report.counts["missing"], 0)
        self.assertGreaterEqual(report.milliseconds, 0)
        self.assertEqual(report.messages, ())

    def test_prime_that_fails_raises(self):
        with self.assertRaises(kplan.Error) as raised:
            kplan.prime("no-such-plan.yaml")
        self.assertEqual(raised.exception.status, "KPLAN_ERROR_PLAN")
        self.assertIn("no-such-plan.yaml", str(raised.exception))
        self.assertIsNotNone(raised.exception.report)

    def test_sealed_block(self):
        kplan.prime(os.environ["TEST_PLAN"])
        library = self.driver.load()  # what priming has loaded ahead
        with kplan.seal():
            self.driver.use(library, b"one_a")  # planned
            self.assertEqual(kplan.escapes(), [])
            self.driver.use(library, b"one_b")
        self.driver.call("cuMemFree_v2", ctypes.c_uint64(0))  # after the block
        found = kplan.escapes()
        self.assertEqual(len(found), 1)
        escape = found[0]
        self.assertEqual((escape.kind, escape.symbol, escape.api, escape.count),
                         ("touch", "one_b", "cuKernelGetFunction", 1))
        self.assertEqual(escape.device, 0)
        self.assertIsNotNone(escape.host_ms)
        self.assertIn("touch one_b", kplan.report())
        self.assertEqual(kplan.report_json()["counts"]["touch"], 1)
        self.assertFalse(kplan.report_json()["sealed"])


class LibraryTest(unittest.TestCase):
    """Without the preload, in a process of its own."""

    @staticmethod
    def run_alone(code, **environment):
        plain = {name: value for name, value in os.environ.items()
                 if name != "LD_PRELOAD" and not name.startswith("KPLAN_")}
        return subprocess.run([sys.executable, "-c", code], env={**plain, **environment},
                              capture_output=True, text=True)

    def test_named_library(self):
        done = self.run_alone("import kplan; print(kplan.version())",
                              KPLAN_LIBRARY=os.environ["TEST_LIBRARY"])
        self.assertEqual(done.stdout, kplan.version() + "\n", done.stderr)

    def test_no_library(self):
        done = self.run_alone("import kplan; kplan.seal()", LD_LIBRARY_PATH="",
                              KPLAN_LIBRARY="/no/such/library.so")
        self.assertIn("OSError: no kplan library", done.stderr)
        self.assertIn("kplan run", done.stderr)

    def test_switched_off(self):
        done = self.run_alone(
            "import kplan; r = kplan.prime(); kplan.seal(); "
            "print(repr(r.text), kplan.escapes(), repr(kplan.report()), "
            "kplan.report_json())",
            KPLAN_LIBRARY=os.environ["TEST_LIBRARY"], KPLAN_DISABLE="1")
        self.assertEqual(done.stdout, "'' [] '' {}\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
