"""The registry of messages (tools/dev/messages.py): what it reads, and that each has a test."""

import ast
import re
from pathlib import Path

import messages
import pytest
from conftest import ROOT
from messages import has_text, tokens_of

CPP = [
    (
        'return op->emitOpError("needs ") << n << " sources, found " << op.size();',
        [("error", "'...' op needs ... sources, found ...")],
    ),
    (
        'return emitError(loc) << "no axis \\"" << name << \'"\' << (more ? ", one of" : " at all");',
        [("error", 'no axis "..."(, one of |  at all)')],
    ),
    (
        'InFlightDiagnostic diag = emitError(loc) << "similar: ";\n'
        "interleaveComma(near, diag);\n"
        'diag << " or none";\n'
        'diag.attachNote(other) << "the first is "\n    "here";',
        [("error", "similar: ... or none"), ("note", "the first is here")],
    ),
    (
        'return usageError("more than " + Twine(n) + " files", kUsage); // fail("no")',
        [("error", "more than ... files")],
    ),
    (
        'throw badInput(path + ": no such entry", {"it has " + list, "--help tells more"});',
        [("error", "...: no such entry")],
    ),
    ('std::string fail(const std::string &why = "none");', []),
    ("return emitError(loc) << describe(problem);", [("error", "...")]),
]


@pytest.mark.parametrize("source, expected", CPP)
def test_reads_cpp(source, expected):
    found = list(messages.read_cpp("lib/Plan/Plan.cpp", source))
    assert [(message.kind, message.text) for message in found] == expected


def test_reads_notes_of_arguments():
    source = 'throw badInput("no entry", {"it has " + list, "--help tells more"});'
    (message,) = messages.read_cpp("runtime/core/Main.cpp", source)
    assert [messages.shown(note) for note in message.notes] == ["it has ...", "--help tells more"]


def test_reads_what_a_sink_adds():
    (message,) = messages.read_cpp("runtime/core/Npy.cpp", 'fail("shape is no tuple");')
    assert message.text == "...: not a valid NumPy file: shape is no tuple"


def test_reads_python():
    source = (
        "def f(x):\n"
        "    if x:\n"
        "        raise UserError(f\"'{x}' is {'one' if x else 'none'}\" + '!')\n"
        "    parser.error('--tokens: expected a number')\n"
        "    raise ValueError\n"
    )
    found = [(m.line, m.text) for m in messages.read_python("python/tp/x.py", source)]
    assert found == [(3, "'...' is (one | none)!"), (4, "--tokens: expected a number")]


def test_indirect_texts():
    source = 'std::string find() {\n  if (a)\n    return "a product of size " + n;\n  return "";\n}'
    (message,) = messages.read_cpp("runtime/cpu/Gemm.cpp", source)
    assert (message.line, message.text) == (3, "a product of size ...")


# --- Each message has a test ------------------------------------------------

# Files (or folders) with messages whose text is made elsewhere: where.
FORWARDED = {
    "dialects/Comm/Ops.cpp": "dialects/TP/Attrs.cpp and Mesh.cpp",
    "dialects/TP/": "Attrs.cpp and Mesh.cpp",
    "lib/Check/": "other files of the folder",
    "lib/Driver/Compile.cpp": "a note that names the second plan",
    "lib/Driver/Fuzz/Totals.cpp": "LLVM's reader of JSON",
    "lib/Driver/Fuzz/Trial.cpp": "what the compiler says",
    "lib/Driver/MachineCode.cpp": "lib/Target/Link.cpp",
    "lib/Driver/OptionTable.cpp": "its callers, and LLVM's command line",
    "lib/Emulator/": "CublasLt/Matmul.cpp; Nccl/Rendezvous.cpp",
    "lib/Execute/Guard.h": "the runtime",
    "lib/Explain/Explain.cpp": "MLIR's openOutputFile",
    "lib/Import/Config.cpp": "its own fail",
    "lib/Interpreter/": "dialects/TP/Mesh.cpp; ArithOps.cpp and MathOps.cpp",
    "lib/Plan/LocatedJson.cpp": "LLVM's reader of YAML",
    "lib/Plan/Plan.cpp": "dialects/TP/Mesh.cpp",
    "lib/Plan/WritePlan.cpp": "MLIR's openOutputFile",
    "lib/Report/Build.cpp": "MLIR's openOutputFile",
    "lib/Support/": "its callers, and its own describe",
    "lib/Target/DeviceImages.cpp": "its own functions, and DeviceMath.cpp",
    "lib/Target/EmitObject.cpp": "LLVM's list of targets",
    "lib/Target/RunTool.cpp": "a note with the tool's own words",
    "lib/Verify/VerifyPartition.cpp": "dialects/TP/Mesh.cpp",
    "lib/Verify/VerifyReshard.cpp": "lib/Analysis/Strategy.cpp",
    "runtime/api/Api.cpp": "the runtime",
    "runtime/core/CommandLine.cpp": "the command line's library",
    "runtime/core/Context.h": "its callers",
    "runtime/core/Main.cpp": "exceptions of the standard library",
    "runtime/core/Manifest.cpp": "the reader of JSON",
    "runtime/core/Program.h": "the rank that failed",
    "runtime/core/Server.cpp": "runtime/core/Request.cpp",
    "runtime/core/Team.cpp": "what the rank threw",
    "runtime/cpu/": "findProblem in Gemm.cpp; OneDnn.cpp",
    "runtime/cuda/": "Library.cpp; NVIDIA's libraries and the system's loader",
    "runtime/include/tprt/error.h": "its callers",
    "runtime/processes/": "MPI, or the rank that failed",
    "runtime/threads/ThreadWait.cpp": "its callers",
    "tools/tp-import/Options.cpp": "the command line's library",
}


def words(text):
    """The words of a text: what quotes and regular expressions do not disturb."""
    return " ".join(re.findall("[A-Za-z0-9]+", text))


def chosen_sides(parts):
    """Each side of each choice in `parts`; what may be left out is no choice."""
    for part in parts:
        if isinstance(part, list) and all(map(has_text, part)):
            yield from part
        for side in part if isinstance(part, list) else ():
            yield from chosen_sides(side)


def phrases(parts, side=None):
    """What stands between the values, in order; of choices that with `side` in it."""
    result = []
    for part in parts:
        if isinstance(part, str):
            result += [words(part)] if has_text([part]) else []
        elif part:
            for other in part:
                if other is side or any(inner is side for inner in chosen_sides(other)):
                    result += phrases(other, side)
    return result


def occurs(wanted, text):
    """Whether the phrases are in the text, in order."""
    at = 0
    for phrase in wanted:
        at = text.find(phrase, at)
        if at < 0:
            return False
        at += len(phrase)
    return True


def lit_expectations(text):
    """What a lit file expects, line by line."""
    checks = []
    for line in text.splitlines():
        if re.match("(error|warning|remark|note): ", line):
            yield line
        expected = re.findall(r"expected-\w+(?:-re)?[^{]*\{\{(.*?)\}\}(?!\})", line)
        yield from expected
        check = re.search(
            r"(?:^|\W)[A-Z][A-Z0-9_-]*?(-SAME|-NOT|-NEXT|-DAG)?(?:\{\w+\})?:\s(.*)", line
        )
        if not check or check[1] == "-NOT":
            continue
        if check[1] == "-SAME" and checks:
            checks[-1] += " " + check[2]
        else:
            checks.append(check[2])
    yield from checks


def cpp_expectations(text):
    """The strings of each statement and of each list in braces."""
    current = []
    for token in tokens_of(text):
        if token.kind == "string":
            current.append(token.text)
        elif token.op(";", "{", "}") and current:
            yield " ".join(current)
            current = []


def python_expectations(text):
    """The strings of each assertion, call and tuple, without those of tuples inside."""

    def strings(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            value = node.value
            yield value if isinstance(value, str) else value.decode("latin1")
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.Tuple, ast.List)):
                yield from strings(child)

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Assert, ast.Assign, ast.Call, ast.Tuple, ast.List, ast.JoinedStr)):
            yield " ".join(strings(node))


def expectations():
    """{words of an expectation: the file of the test} of the whole tree."""
    readers = {".mlir": lit_expectations, ".test": lit_expectations, ".py": python_expectations}
    result = {}
    for path in sorted((ROOT / "test").rglob("*")):
        reader = readers.get(
            path.suffix, cpp_expectations if path.suffix in (".cpp", ".c") else None
        )
        if reader and path.is_file() and path != Path(__file__):
            for text in reader(path.read_text()):
                result.setdefault(words(text), set()).add(str(path.relative_to(ROOT)))
    return result


def untested(message, expected):
    """The phrases of a message, one list for each choice, that no test expects together."""
    sides = list(chosen_sides(message.parts)) or [None]
    wanted = [phrases(message.parts, side) for side in sides]
    # Dialects share texts: each wants its own test.
    if re.match("dialects/(Comm|NN|RT)/", message.file):
        folder = f"test/{Path(message.file).parent}/".replace("dialects", "Dialect")
        expected = [t for t, files in expected.items() if any(f.startswith(folder) for f in files)]
    return [w for w in wanted if not any(occurs(w, text) for text in expected)]


ALL = messages.all_messages()


def test_texts_are_known():
    """A message without a text of its own is in a file that says where its text is made."""
    files = {message.file for message in ALL if not has_text(message.parts)}
    unknown = [file for file in sorted(files) if not any(map(file.startswith, FORWARDED))]
    assert not unknown, "these messages have no text that tools/dev/messages.py sees"
    gone = [name for name in FORWARDED if not any(file.startswith(name) for file in files)]
    assert not gone


def test_each_message_has_a_test():
    expected = expectations()
    missing = [f"{m.file}:{m.line}: {m.text}" for m in ALL if untested(m, expected)]
    assert not missing, "no test expects:\n" + "\n".join(missing)
