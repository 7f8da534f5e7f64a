"""Arrays in .npy files and how far two of them may differ. Standard library only."""

import ast
import math
import re
from array import array

TYPECODES = {"<f4": "f", "<f8": "d", "<i8": "q", "<i4": "i", "<i2": "h", "|i1": "b", "|b1": "b"}

# What tp-run allows, as a part of the largest element; anything else has equal bits.
TOLERANCES = {"f64": 1e-12, "f32": 2e-5, "f16": 4e-3, "bf16": 2e-2}


class Failed(Exception):
    """A check that did not give what it must; the text says what it gave."""


def read_npy(path):
    """The shape and the elements, row-major, of a little-endian .npy file."""
    try:
        data = open(path, "rb").read()
    except OSError as error:
        raise Failed(f"no result: {error.strerror}: {path}") from error
    match = re.match(rb"\x93NUMPY\x01\x00(..)", data, re.DOTALL)
    if not match:
        raise Failed(f"{path} is no .npy file of version 1")
    start = 10 + int.from_bytes(match[1], "little")
    header = ast.literal_eval(data[10:start].decode("latin-1"))
    if header["descr"] not in TYPECODES or (header["fortran_order"] and len(header["shape"]) > 1):
        raise Failed(f"{path} has an order or a type that is not read: {header}")
    elements = array(TYPECODES[header["descr"]])
    if len(data) - start != math.prod(header["shape"]) * elements.itemsize:
        raise Failed(f"{path} is cut off")
    elements.frombytes(data[start:])
    return header["shape"], elements


def same(a, b):
    """Equal, NaN being equal to itself."""
    return a == b or (a != a and b != b)


def largest_difference(found, golden):
    """The largest |a - b| as a part of the largest element, and where it is.

    Elements that are infinite or NaN on one side only differ infinitely.
    """
    finite = [abs(value) for value in golden if math.isfinite(value)]
    scale = max(finite, default=0) or 1
    worst, where = 0.0, 0
    for index, (a, b) in enumerate(zip(found, golden)):
        if same(a, b):
            continue
        difference = abs(a - b) / scale
        difference = difference if math.isfinite(difference) else math.inf
        if difference > worst:
            worst, where = difference, index
    return worst, where


def compare(path, golden_path, dtype):
    """The largest difference of two files; raises where it is more than `dtype` allows."""
    shape, found = read_npy(path)
    golden_shape, golden = read_npy(golden_path)
    if shape != golden_shape:
        raise Failed(f"shape {shape}, expected {golden_shape}")
    worst, where = largest_difference(found, golden)
    if worst > TOLERANCES.get(dtype, 0):
        index = []
        for size in reversed(shape):
            index.insert(0, where % size)
            where //= size
        flat = 0
        for size, i in zip(shape, index):
            flat = flat * size + i
        raise Failed(
            f"element {index} is {found[flat]:.9g}, expected {golden[flat]:.9g}: differs by "
            f"{worst:.2g} of the largest, {TOLERANCES.get(dtype, 0):g} is allowed"
        )
    return worst


def compare_tokens(tokens, logits_path, golden, golden_path, tolerance):
    """The largest difference of the logits of greedy tokens, up to where they part.

    Tokens may part only where the golden logits of the two are closer than the tolerance
    allows; what follows has other inputs and is not compared.
    """
    shape, found = read_npy(logits_path)
    golden_shape, expected = read_npy(golden_path)
    if shape != golden_shape or len(tokens) != len(golden):
        raise Failed(
            f"{len(tokens)} tokens, logits {shape}; expected {len(golden)}, {golden_shape}"
        )
    vocabulary, worst = shape[-1], 0.0
    for step, (token, wanted) in enumerate(zip(tokens, golden)):
        row = slice(step * vocabulary, (step + 1) * vocabulary)
        difference, where = largest_difference(found[row], expected[row])
        worst = max(worst, difference)
        if difference > tolerance:
            raise Failed(
                f"logit {where} of step {step} differs by {difference:.2g} of the largest, "
                f"{tolerance:g} is allowed"
            )
        if token != wanted:
            scale = max(abs(value) for value in expected[row])
            gap = expected[row.start + wanted] - expected[row.start + token]
            if gap > 2 * tolerance * scale:
                raise Failed(f"token {step} is {token}, expected {wanted}")
            break
    return worst
