"""Finds the kplan library and declares its C API (kplan.h)."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_int64
from ctypes import c_size_t, c_uint, c_uint64, c_void_p
from typing import Optional

LIBRARY = "libkplan_runtime.so.0"


class Options(Structure):
    """kplan_options"""

    _fields_ = [
        ("size", c_size_t),
        ("plan", c_char_p),
        ("device", c_int),
        ("attributes", c_int),
        ("local_memory", c_int),
        ("strict", c_int),
        ("threads", c_uint),
    ]


class EscapeInfo(Structure):
    """kplan_escape_info"""

    _fields_ = [
        ("size", c_size_t),
        ("kind", c_char_p),
        ("symbol", c_char_p),
        ("api", c_char_p),
        ("image", c_char_p),
        ("device", c_int),
        ("thread", c_int64),
        ("since_seal_ms", c_double),
        ("host_ms", c_double),
        ("count", c_uint64),
    ]


# Name: result, arguments.
_FUNCTIONS = {
    "kplan_version": (c_char_p, []),
    "kplan_status_name": (c_char_p, [c_int]),
    "kplan_prime": (c_int, [POINTER(Options), POINTER(c_void_p)]),
    "kplan_seal": (c_int, []),
    "kplan_unseal": (c_int, []),
    "kplan_escapes": (c_int, [c_void_p, c_size_t, POINTER(c_size_t)]),
    "kplan_escape_details": (c_int, [c_size_t, POINTER(EscapeInfo)]),
    "kplan_escape_report": (c_int, [c_int, c_char_p, c_size_t, POINTER(c_size_t)]),
    "kplan_report_count": (c_uint64, [c_void_p, c_int]),
    "kplan_report_milliseconds": (c_double, [c_void_p]),
    "kplan_report_message": (c_char_p, [c_void_p, c_size_t]),
    "kplan_report_text": (c_char_p, [c_void_p]),
    "kplan_report_destroy": (None, [c_void_p]),
}

_library: Optional[ctypes.CDLL] = None


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


def _find() -> ctypes.CDLL:
    process = ctypes.CDLL(None)
    if hasattr(process, "kplan_prime"):
        return process
    named = os.environ.get("KPLAN_LIBRARY")
    if named:
        return ctypes.CDLL(named)
    beside = pathlib.Path(__file__).with_name(LIBRARY)
    return ctypes.CDLL(str(beside) if beside.exists() else LIBRARY)


def library() -> ctypes.CDLL:
    """The library; the same one every time. OSError: there is none."""
    global _library
    if _library is None:
        try:
            _library = _declare(_find())
        except (OSError, AttributeError) as error:
            raise OSError(
                f"no kplan library: {error}; start the program by 'kplan run', or "
                f"name {LIBRARY} in KPLAN_LIBRARY"
            ) from None
    return _library
