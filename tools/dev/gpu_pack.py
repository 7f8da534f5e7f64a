"""The half of tools/gpu-check that runs where programs are compiled; see docs/RunOnGPUs.md."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "gpucheck"))

from model import build  # noqa: E402
from pack import pack  # noqa: E402


def main():
    parser = argparse.ArgumentParser(
        prog="tools/gpu-check",
        description="Makes a folder of programs and results that checks a GPU elsewhere.",
    )
    parser.add_argument("--pack", metavar="DIR", required=True, help="the folder to make")
    parser.add_argument("--small", action="store_true", help="small shapes, for emulated devices")
    parser.add_argument(
        "--arch",
        metavar="TARGET",
        help="what tp-compile --target takes (default: cuda:sm_90,ptx_90; of small shapes "
        "cuda:emulated)",
    )
    options = parser.parse_args()
    build("tp-import", "tp-compile")
    arch = options.arch or ("cuda:emulated" if options.small else "cuda:sm_90,ptx_90")
    pack(options.pack, arch, options.small)
    return 0


if __name__ == "__main__":
    sys.exit(main())
