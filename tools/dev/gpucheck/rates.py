"""What a device can do, and the time that work takes at these rates. Standard library only."""

import re
from dataclasses import asdict, dataclass

LAUNCH_SECONDS = 2e-6  # what a kernel takes however little it does
# By a part of the device's name (SXM): floating-point operations per second of tensor cores
# (bf16, dense) and of f32 elsewhere, bytes per second of memory and of NVLink one way.
SHEETS = {
    "H200": (989e12, 67e12, 4.8e12, 450e9),
    "H100": (989e12, 67e12, 3.35e12, 450e9),
    "A100": (312e12, 19.5e12, 2.04e12, 300e9),
}
# Operations of a multiprocessor in a clock, by compute capability: those of tensor cores (bf16,
# dense) and of f32 elsewhere, from the white papers of both.
PER_CLOCK = {"8.0": (2048, 128), "9.0": (4096, 256)}


@dataclass
class Rate:
    """Of a second, with where it is from."""

    value: float
    source: str


@dataclass
class Rates:
    """Each is None where it is not known."""

    products: Rate | None = None  # floating-point operations in products
    others: Rate | None = None  # and in other kernels
    memory: Rate | None = None  # bytes that are read and written
    link: Rate | None = None  # bytes that a rank sends to others

    def json(self):
        return {key: value for key, value in asdict(self).items() if value}


def rates_of(device, copies):
    """Those of a device as Driver.describe has it, or None; `copies` is the measured speed of
    copies in its memory in bytes per second, or None.
    """
    rates, device = Rates(), device or {}
    name = next((name for name in SHEETS if name in device.get("name", "")), None)
    if name:
        source = f"NVIDIA's data sheet of {name} SXM"
        rates = Rates(*(Rate(value, source) for value in SHEETS[name]))
    elif device.get("capability") in PER_CLOCK and device.get("clock_hz"):
        clocks = device["multiprocessors"] * device["clock_hz"]
        source = (
            f"{device['multiprocessors']} multiprocessors at {device['clock_hz'] / 1e6:.0f} MHz"
        )
        products, others = PER_CLOCK[device["capability"]]
        rates.products = Rate(products * clocks, source)
        rates.others = Rate(others * clocks, source)
    if copies:
        rates.memory = Rate(copies, "copies in its memory, measured")
    return rates


def predicted(span, rates, ranks=1, virtual=True):
    """Seconds by the work of a span, the longer of operations and bytes; None: not known.

    Collectives of `ranks` ranks send their bytes over the link, or where all ranks are on one
    device, are what copies and kernels of all of them read and write.
    """
    if span.bytes is None:
        return None
    if span.kind in ("gemm", "kernel", "copy"):
        peak = rates.products if span.kind == "gemm" else rates.others
        times = [span.flops / peak.value] if peak and span.flops is not None else []
        bytes = span.bytes
    else:
        times, bytes = [], span.bytes if not virtual else virtual_bytes(span, ranks)
        if not virtual:
            return bytes / rates.link.value + LAUNCH_SECONDS if rates.link else None
    if not rates.memory:
        return None
    return max([bytes / rates.memory.value, *times]) + LAUNCH_SECONDS


def virtual_bytes(span, ranks):
    """What all ranks of a collective read and write, by what one would send."""
    if ranks < 2:
        return 0
    k, sent = ranks, span.bytes
    whole = sent * k / (k - 1)  # the larger of operand and result
    return {
        "all_reduce": k * (k + 1) * whole / 2,
        "all_gather": 2 * k * whole,
        "reduce_scatter": k * (whole + whole / k),
        "all_to_all": 2 * k * whole,
        "permute": 2 * k * sent,
    }[span.kind]


def is_attention(kernel):
    """Whether a kernel goes over a cache, all of which its work counts as seen."""
    return re.fullmatch(r"attention(_parts)?(_\d+)?", kernel) is not None
