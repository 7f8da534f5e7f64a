"""lit configuration: FileCheck tests of tools built into build/bin."""

import os

import lit.formats

config.name = "tp"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.excludes = [
    "Inputs",
    "Cases",
    "ControlFlow",
    "DynamicShapes",
    "Foreign",
    "Layers",
    "Ops",
    "Scans",
    "Selections",
    "Unit",
    "Runtime",
    "Python",
    "lib",
]
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tp_build_dir, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
)
# Memory that is freed has other content at once (glibc), so what reads it fails.
config.environment["MALLOC_PERTURB_"] = "165"
config.environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%tp_source_dir", config.tp_source_dir))
config.substitutions.append(("%tp_build_dir", config.tp_build_dir))
config.substitutions.append(("%llvm_include", os.path.join(config.llvm_tools_dir, "..", "include")))
