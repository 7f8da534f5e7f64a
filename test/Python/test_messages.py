"""The registry of messages (tools/dev/messages.py): what it reads."""

import messages
import pytest

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
