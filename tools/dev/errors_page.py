"""docs/Errors.md: all messages of the registry (messages.py), by where a user meets them."""

import textwrap

from messages import all_messages, has_text, shown

# The sections of docs/Errors.md: title, what to know of the messages in it, where they are. A
# message is in the first section that has its file.
SECTIONS = [
    (
        "Fuzzer",
        "Of `tools/fuzz`. A *finding* is what is wrong with a program that it made: the program and "
        "its plan are kept and shrunk, `tp-run` repeats them.",
        ["lib/Driver/Fuzz/"],
    ),
    (
        "Command lines",
        "Of `tp-compile`, `tp-run`, `tp-check`, `tp-import` and the C interface of the compiler. "
        "A wrong usage has the usage as a note; `--help` lists the options.",
        ["lib/Driver/", "lib/Support/", "lib/CAPI/", "lib/Explain/", "lib/Report/", "tools/tp-"],
    ),
    (
        "Plans",
        "The place is that of the key or value in the plan, or of the value in the program. What a "
        "plan may say: [Plan.md](Plan.md).",
        ["lib/Plan/"],
    ),
    (
        "Import of checkpoints",
        "The place is a file of the checkpoint and in it a key or a tensor. What is supported: "
        "[Import.md](Import.md).",
        ["lib/Import/"],
    ),
    (
        "Dialects",
        "Verifiers and parsers of `tp`, `nn`, `comm` and `rt`: IR that was written by hand breaks a "
        "rule of its op ([reference](reference)). From a pass of ours they are a fault of ours.",
        ["dialects/"],
    ),
    (
        "Partitioning",
        "Passes and verifiers from the source to one rank's program. A verifier of a phase "
        "([Pipeline.md](Pipeline.md)) says that IR does not have what the phase guarantees: it was "
        "written by hand, or a pass between is wrong.",
        [
            "lib/Analysis/",
            "lib/Interfaces/",
            "lib/Transforms/",
            "lib/Verify/VerifyPlan",
            "lib/Verify/VerifyReshard",
            "lib/Verify/VerifyPartition",
            "lib/Verify/VerifyComm",
        ],
    ),
    (
        "Proofs",
        "Of `tp-check` and the check in `tp-compile` and `tp-run`. A *reason* ends the remark `result "
        "0 of @f is not proved: 'OP' ...`, an error under `--strict` and of `tp-check`. It need not "
        "be a fault: the checker may not know the op well enough. `tp-run --compare` decides "
        "by values ([Trust.md](Trust.md)).",
        ["lib/Check/"],
    ),
    (
        "Lowering to the CPU",
        "From one rank's program to machine code.",
        ["lib/Conversion/", "lib/Pipelines/", "lib/Target/", "lib/Verify/"],
    ),
    (
        "Emulated devices",
        "Of the device that tests run kernels on (lib/Emulator/README.md): what a kernel, or who "
        "calls the driver, does wrong.",
        ["lib/Emulator/"],
    ),
    (
        "Interpreter",
        "Of `tp-run --interpret`, `--compare` and the tests; the place is the op, and where there are "
        "several ranks, the message begins with the rank.",
        ["lib/Interpreter/"],
    ),
    (
        "Runs",
        "Of executables, of modules in a library, and of `tp-run`. A *failure* has exit code 3, as "
        "one of a rank: `rank 1 failed in rt.all_reduce at model.mlir:7:10: ...`.",
        ["runtime/core/", "runtime/cpu/", "runtime/threads/", "runtime/include/", "lib/Execute/"],
    ),
    (
        "CUDA",
        "What NVIDIA's libraries lack, or refuse.",
        ["runtime/cuda/"],
    ),
    (
        "Runs as several processes",
        "Under `mpirun` and `srun`: [RunOnSeveralHosts.md](RunOnSeveralHosts.md).",
        ["runtime/"],
    ),
    (
        "Python",
        "Of the modules of `tp`: a `tp.ModuleError` of `tp.Module`, one line with `error:` of the "
        "commands.",
        ["python/"],
    ),
    (
        "Scripts of the checkout",
        "Of `tools/demo`, `tools/test` and `tools/bench`.",
        ["tools/"],
    ),
]

HEAD = """# Messages

<!-- written by tools/dev/gen-docs from the sources, see tools/dev/messages.py -->

All that tools, compiler, runtime and Python modules can say, by where one meets it: {total} messages of {files} files.
`...` is a value, `(a | b)` is one of two. A message is one line with its kind, an error has an exit code
([Tools.md](Tools.md)); where it has a place, that comes first:

    plan.json:3:14: error: axis "dp" appears twice in the mesh

*error*: the input or the usage is wrong, 2. *failure*: the run fails, 3. *warning*, *remark*: what happens may not be
what is wanted; errors under `--strict`. *note*: what else helps, below its message.
"""


def code(text):
    """`text` as code in Markdown."""
    text = " ".join(text.split())
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def page():
    """The text of docs/Errors.md."""
    found = [message for message in all_messages() if has_text(message.parts)]
    lines = []
    for title, intro, prefixes in SECTIONS:
        lines += ["", f"## {title}", "", *textwrap.wrap(intro, 120)]
        file = None
        seen = set()
        for message in [m for m in found if any(map(m.file.startswith, prefixes))]:
            found.remove(message)
            if message.file != file:
                file = message.file
                lines += ["", f"In `{file}`:", ""]
            entry = [f"- {message.kind}: {code(message.text)}"]
            if message.kind == "note":
                entry = [f"  - note: {code(message.text)}"]
            entry += [f"  - note: {code(shown(note))}" for note in message.notes]
            if (file, *entry) not in seen or message.kind == "note":
                lines += entry
            seen.add((file, *entry))
    assert not found, f"no section for {found[0].file}"
    total = sum(line.startswith("- ") for line in lines)
    files = sum(line.startswith("In `") for line in lines)
    return HEAD.format(total=total, files=files) + "\n".join(lines) + "\n"
