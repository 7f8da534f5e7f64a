"""The unsharded program, lowered and run by LLVM's own tools: the oracle.

It shares nothing with this project: mlir-opt bufferizes and lowers the program
to loops, mlir-runner runs it and prints the results, which are read back.
"""

import os
import re
import subprocess
from pathlib import Path

LLVM_BIN = Path(os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin"))
LLVM_LIB = LLVM_BIN.parent / "lib"
TIMEOUT_S = 120

PASSES = [
    "--convert-elementwise-to-linalg",
    "--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--arith-expand=include-bf16=true",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
]
PRINTERS = "".join(
    f"func.func private @printMemref{element}(memref<*x{element.lower()}>)"
    " attributes { llvm.emit_c_interface }\n"
    for element in ("F32", "I32", "I64")
)


class OracleError(Exception):
    """The unsharded program does not run."""


def parse_type(text, rows):
    """(shape, element) of a tensor type or `index`; `rows` stands for `?`."""
    if text == "index":
        return [], "index"
    match = re.fullmatch(r"tensor<((?:[0-9?]+x)*)(\w+)>", text)
    sizes = [size for size in match[1].split("x") if size]
    return [rows if size == "?" else int(size) for size in sizes], match[2]


def count(shape):
    """The number of elements of a shape."""
    product = 1
    for size in shape:
        product *= size
    return product


def dense(values, shape):
    """Nested lists as in a dense attribute."""
    if not shape:
        return values[0]
    step = len(values) // shape[0] if shape[0] else 0
    parts = (dense(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0]))
    return "[" + ", ".join(parts) + "]"


def make_argument(name, type_text, values, rows):
    """Lines that make one argument from its flat list of values."""
    if type_text == "index":
        return [f"  {name} = arith.constant {int(values[0])} : index"]
    shape, element = parse_type(type_text, rows)
    texts = [repr(float(v)) if element[0] in "fb" else str(int(v)) for v in values]
    static = "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"
    literal = dense(texts, shape) if texts else ""
    lines = [f"  {name}s = arith.constant dense<{literal}> : {static}"]
    if "?" in type_text:
        return lines + [f"  {name} = tensor.cast {name}s : {static} to {type_text}"]
    # A copy: the program may write in place.
    return lines + [f"  {name} = bufferization.alloc_tensor() copy({name}s) : {static}"]


def print_result(name, value, type_text, rows):
    """Lines that print one result."""
    element = parse_type(type_text, rows)[1]
    lines = []
    if element == "bf16":
        wide = type_text.replace("bf16", "f32")
        lines.append(f"  {name}w = arith.extf {value} : {type_text} to {wide}")
        value, type_text, element = f"{name}w", wide, "f32"
    memref = "memref" + type_text.removeprefix("tensor")
    return lines + [
        f"  {name} = bufferization.to_buffer {value} : {type_text} to {memref}",
        f"  {name}u = memref.cast {name} : {memref} to memref<*x{element}>",
        f"  call @printMemref{element.upper()}({name}u) : (memref<*x{element}>) -> ()",
    ]


def add_main(program, entry, argument_types, result_types, values, rows):
    """The program with a main that calls `entry` and prints its results."""
    body = []
    for k, type_text in enumerate(argument_types):
        body += make_argument(f"%a{k}", type_text, values[k], rows)
    operands = ", ".join(f"%a{k}" for k in range(len(argument_types)))
    several = len(result_types) > 1
    target = f"%r:{len(result_types)}" if several else "%r"
    signature = f"({', '.join(argument_types)}) -> ({', '.join(result_types)})"
    body.append(f"  {target} = func.call @{entry}({operands}) : {signature}")
    for j, type_text in enumerate(result_types):
        body += print_result(f"%p{j}", f"%r#{j}" if several else "%r", type_text, rows)
    # Resources stay at the end of the file.
    head, mark, resources = program.partition("{-#")
    main = "\nfunc.func @main() {\n" + "\n".join(body) + "\n  return\n}\n"
    return head + main + PRINTERS + mark + resources


def run_tool(command, text):
    """Standard output of one of LLVM's tools."""
    run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_S)
    if run.returncode != 0:
        raise OracleError(f"{Path(command[0]).name}: {run.stderr[:600]}")
    return run.stdout


def run_unsharded(program, entry, argument_types, result_types, values, rows):
    """Results of `entry` as flat lists of numbers."""
    text = add_main(program, entry, argument_types, result_types, values, rows)
    lowered = run_tool([LLVM_BIN / "mlir-opt", *PASSES], text)
    libraries = [LLVM_LIB / "libmlir_runner_utils.so", LLVM_LIB / "libmlir_c_runner_utils.so"]
    runner = [LLVM_BIN / "mlir-runner", "-e", "main", "-entry-point-result=void"]
    runner.append("-shared-libs=" + ",".join(map(str, libraries)))
    printed = re.split(r"Unranked Memref base@ = \S+ ", run_tool(runner, lowered))[1:]
    results = []
    for type_text, part in zip(result_types, printed, strict=True):
        data = re.sub(r"^rank.*?data =\s*", "", part, flags=re.S)
        numbers = re.findall(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)", data)
        # An empty tensor prints as garbage.
        is_empty = count(parse_type(type_text, rows)[0]) == 0
        results.append([] if is_empty else [float(number) for number in numbers])
    return results
