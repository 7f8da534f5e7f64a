"""Prints the kernels of the library (abi.def) that a file of IR does not call."""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
definitions = Path(__file__).resolve().parents[4] / "runtime/include/tprt/abi.def"
kernels = re.findall(r"^TPRT_KERNEL\((\w+), \(", definitions.read_text(), re.MULTILINE)
if not kernels:
    print("no kernels in abi.def")
for kernel in kernels:
    if f'rt.kernel_call "{kernel}"' not in text:
        print(kernel)
