"""Prime a GPU before the concurrent phase starts, seal, and read escapes.

See kplan.h and docs/run.md; every function here is one of the C API. They may be
called from any thread; all of them raise OSError where there is no kplan library.
"""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

from . import _native

__all__ = [
    "Error",
    "Escape",
    "PrimeReport",
    "Sealed",
    "escapes",
    "prime",
    "report",
    "report_json",
    "seal",
    "unseal",
    "version",
]

# kplan_counter, in order.
_COUNTERS = (
    "libraries",
    "functions",
    "attributes",
    "unchanged",
    "globals",
    "local_bytes",
    "device_bytes",
    "missing",
    "warnings",
    "not_covered",
    "images",
    "claimed",
    "unclaimed",
    "waiting",
)


@dataclass(frozen=True)
class PrimeReport:
    """What priming did."""

    text: str
    """One or a few lines for a log."""
    milliseconds: float
    counts: Mapping[str, int]
    """By the names of kplan_counter, lower case: "functions", "missing", ..."""
    messages: Tuple[str, ...]
    """Each entry that could not be placed and why, then other warnings."""


@dataclass(frozen=True)
class Escape:
    """A first use after the seal. What is not known is None, or empty."""

    kind: str
    """ "load", "touch" or "free"."""
    symbol: str
    api: str
    image: str
    device: Optional[int]
    thread: Optional[int]
    since_seal_ms: Optional[float]
    host_ms: Optional[float]
    count: int


class Error(Exception):
    """A call of the C API failed."""

    def __init__(self, call: str, status: str, report: Optional[PrimeReport] = None):
        self.status: str = status
        """The name in kplan.h: "KPLAN_ERROR_PLAN"."""
        self.report: Optional[PrimeReport] = report
        """Of priming; what it says of the failure is in it."""
        details = "; ".join(report.messages) if report else ""
        super().__init__(f"{call}: {status}" + (f": {details}" if details else ""))


def _text(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""


def _check(call: str, status: int, report: Optional[PrimeReport] = None) -> None:
    if status != 0:
        name = _text(_native.library().kplan_status_name(status))
        raise Error(call, name, report)


def version() -> str:
    """The library's: "0.1.0"."""
    return _text(_native.library().kplan_version())


def _read_report(handle: c_void_p) -> PrimeReport:
    library = _native.library()
    messages = []
    while (message := library.kplan_report_message(handle, len(messages))) is not None:
        messages.append(_text(message))
    return PrimeReport(
        text=_text(library.kplan_report_text(handle)),
        milliseconds=library.kplan_report_milliseconds(handle),
        counts={
            name: library.kplan_report_count(handle, index)
            for index, name in enumerate(_COUNTERS)
        },
        messages=tuple(messages),
    )


def prime(
    plan: Optional[str] = None,
    *,
    device: int = -1,
    attributes: bool = True,
    local_memory: bool = True,
    strict: bool = False,
    threads: int = 0,
) -> PrimeReport:
    """Executes a plan for one device; None: the one that KPLAN_PLAN names.

    It waits for work that runs on the device. Call it once CUDA is set up, before
    work that must not be disturbed. The arguments are the fields of kplan_options.
    """
    library = _native.library()
    options = _native.Options(
        size=ctypes.sizeof(_native.Options),
        plan=None if plan is None else str(plan).encode(),
        device=device,
        attributes=attributes,
        local_memory=local_memory,
        strict=strict,
        threads=threads,
    )
    handle = c_void_p()
    status = library.kplan_prime(byref(options), byref(handle))
    try:
        result = _read_report(handle)
    finally:
        library.kplan_report_destroy(handle)
    _check("kplan.prime", status, result)
    return result


class Sealed:
    """The sealed phase; as a context manager it ends with the block."""

    def __enter__(self) -> "Sealed":
        return self

    def __exit__(self, *_: Any) -> None:
        unseal()


def seal() -> Sealed:
    """The concurrent phase starts: from here on first uses are escapes.

    `with kplan.seal():` ends it at the end of the block.
    """
    _check("kplan.seal", _native.library().kplan_seal())
    return Sealed()


def unseal() -> None:
    """Ends the sealed phase; escapes counted so far are kept."""
    _check("kplan.unseal", _native.library().kplan_unseal())


def escapes() -> List[Escape]:
    """All escapes so far, oldest first."""
    library = _native.library()
    count = c_size_t()
    _check("kplan.escapes", library.kplan_escapes(None, 0, byref(count)))
    found = []
    for index in range(count.value):
        info = _native.EscapeInfo(size=ctypes.sizeof(_native.EscapeInfo))
        _check("kplan.escapes", library.kplan_escape_details(index, byref(info)))
        found.append(
            Escape(
                kind=_text(info.kind),
                symbol=_text(info.symbol),
                api=_text(info.api),
                image=_text(info.image),
                device=info.device if info.device >= 0 else None,
                thread=info.thread or None,
                since_seal_ms=info.since_seal_ms if info.since_seal_ms >= 0 else None,
                host_ms=info.host_ms if info.host_ms >= 0 else None,
                count=info.count,
            )
        )
    return found


def _report(as_json: bool) -> str:
    library = _native.library()
    length = c_size_t()
    capacity = 0
    buffer = None
    # It may grow between two calls.
    while True:
        status = library.kplan_escape_report(as_json, buffer, capacity, byref(length))
        _check("kplan.report", status)
        if length.value < capacity or (length.value == 0 and capacity == 0):
            return _text(buffer.value) if buffer else ""
        capacity = length.value + 1024
        buffer = ctypes.create_string_buffer(capacity)


def report() -> str:
    """The report on escapes, for people."""
    return _report(False)


def report_json() -> Dict[str, Any]:
    """The report on escapes as docs/run.md describes it; empty where kplan is
    switched off."""
    text = _report(True)
    return json.loads(text) if text else {}
