"""Prints the manifest of a module in the LLVM dialect, one value per line."""

import json
import re
import sys

text = re.search(r'@tprt\.manifest\("(.*?)\\00"\)', sys.stdin.read())[1]
text = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), text)
manifest = json.loads(text)
for entry in manifest.pop("entries"):
    print("arena_bytes", entry["arena_bytes"], "symmetric_bytes", entry.get("symmetric_bytes"))
    for kind in ("argument", "result"):
        for value in entry[kind + "s"]:
            print(kind, json.dumps(value, sort_keys=True))
for key in sorted(manifest):
    print(key, json.dumps(manifest[key], sort_keys=True))
