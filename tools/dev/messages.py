"""The registry of messages: what tools, compiler and runtime tell a user, read from the sources.

A message is a call of one of SINKS with a text: of `emitError(loc) << "no axis " << name` it is
"no axis ...". Its place in the source is the only one where it stands: docs/Errors.md is written
from it (errors_page.py), and test/Python/test_messages.py wants a test of each.
"""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("dialects", "include", "lib", "runtime", "tools", "python")

# The calls that make a message of their text, and of which kind.
SINKS = {
    "emitError": "error",
    "emitOpError": "error",
    "emitWarning": "warning",
    "emitRemark": "remark",
    "userError": "error",
    "usageError": "error",
    "badInput": "error",
    "emitProblem": "error",
    "runFailure": "failure",
    "attachNote": "note",
    "ToolError": "error",
    "Error": "error",
    # The next are local to a file or folder.
    "fail": "error",
    "invalid": "error",
    "unsupported": "error",
    "refuse": "error",
    "lose": "failure",
    "errorAnswer": "error",
    "stop": "failure",
}
PYTHON_SINKS = {"error": "error", "fail": "error", "failure": "failure"}

# Of (the beginning of a path, sink): the kind, and the text with what the sink makes of it,
# {} standing for its texts. The first that fits.
FORMS = [
    ("lib/Check/", "fail", "reason", ["{}"]),
    ("lib/Check/", "refuse", "reason", ["{}"]),
    ("lib/Driver/Fuzz/", "fail", "finding", ["{}"]),
    ("lib/Driver/Fuzz/", "refuse", "finding", ["{}"]),
    ("lib/Import/", "fail", "error", ["...: {}", "...: {}: {}"]),
    ("runtime/core/Manifest.cpp", "invalid", "error", ["manifest: {}"]),
    ("runtime/core/Npy.cpp", "fail", "error", ["...: not a valid NumPy file: {}"]),
    ("runtime/core/OutputFile.cpp", "fail", "failure", ["...: {} failed: ..."]),
    ("runtime/core/Sampling.cpp", "fail", "error", ["{} must be {}, found ..."]),
    ("runtime/api/", "fail", "error", ["{}"]),
    ("runtime/processes/", "lose", "failure", ["rank ... (process ... on ...) was lost: {}"]),
    ("runtime/", "fail", "failure", ["rank ... failed in ...: {}"]),
    ("runtime/", "stop", "failure", ["rank ... failed in ...: {}"]),
    ("", "emitOpError", "error", ["'...' op {}"]),
]

# Files whose functions return or assign a text that another one reports: the names of the
# functions and variables.
INDIRECT = {
    "dialects/TP/Attrs.cpp": {"error"},
    "lib/Analysis/Strategy.cpp": {"error"},
    "lib/Check/Argmax.cpp": {"problem"},
    "lib/Check/Check.cpp": {"return"},
    "lib/Interpreter/ArithOps.cpp": {"return"},
    "lib/Interpreter/MathOps.cpp": {"return"},
    "lib/Support/OutputFile.cpp": {"return"},
    "runtime/core/Calls.cpp": {"rule"},
    "runtime/core/Team.cpp": {"reason"},
    "runtime/cpu/Gemm.cpp": {"return"},
    "runtime/cpu/OneDnn.cpp": {"problemText"},
    "runtime/cuda/CublasLt.cpp": {"return"},
    "runtime/cuda/Driver.cpp": {"return"},
    "runtime/cuda/GemmShape.cpp": {"return"},
    "runtime/cuda/Library.cpp": {"return"},
    "runtime/cuda/Nccl.cpp": {"return"},
}

TOKEN = re.compile(
    r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<raw>R"(?P<tag>[^()\s\\]*)\((?P<rawtext>.*?)\)(?P=tag)")
  | (?P<string>"(?P<text>(?:[^"\\\n]|\\.)*)")
  | (?P<char>'(?:[^'\\\n]|\\.)+')
  | (?P<word>[A-Za-z_0-9.]+)
  | <<|->|::|&&|\|\||==|!=|<=|>=|\+=|.
    """,
    re.X | re.S | re.M,
)
# Calls that only change the type of a text.
WRAPPERS = {"Twine", "StringRef", "string", "str", "c_str"}


@dataclass
class Token:
    kind: str  # string, char, word, op
    text: str
    line: int

    def op(self, *texts):
        return self.kind == "op" and self.text in texts


@dataclass
class Message:
    """A literal of `parts` is a str, a value None, a choice a list of two such lists."""

    file: str
    line: int
    sink: str
    kind: str
    parts: list
    text: str = ""  # with what the sink adds
    notes: list = field(default_factory=list)  # each like parts

    def __post_init__(self):
        self.text = self.text or shown(self.parts)


def tokens_of(source):
    """The tokens of C++ text; neighbouring string literals are one."""
    result = []
    line = 1
    for match in TOKEN.finditer(source):
        start = line
        line += match[0].count("\n")
        if match["skip"]:
            continue
        if match["raw"]:
            token = Token("string", match["rawtext"], start)
        elif match["string"]:
            text = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), match["text"])
            token = Token("string", text, start)
        elif match["char"]:
            token = Token("char", match[0][1:-1].replace("\\'", "'"), start)
        else:
            token = Token("word" if match["word"] else "op", match[0], start)
        if token.kind == "string" and result and result[-1].kind == "string":
            result[-1].text += token.text
        else:
            result.append(token)
    return result


def last(word):
    """`fail` of `ctx.fail`."""
    return word.rsplit(".", 1)[-1]


def group_end(tokens, start):
    """The index of the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        if tokens[i].op("(", "[", "{"):
            depth += 1
        elif tokens[i].op(")", "]", "}"):
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def split(tokens, separator):
    """The pieces of `tokens` between separators outside of brackets."""
    pieces = [[]]
    i = 0
    while i < len(tokens):
        end = group_end(tokens, i) if tokens[i].op("(", "[", "{") else i
        if tokens[i].op(separator):
            pieces.append([])
        else:
            pieces[-1] += tokens[i : end + 1]
        i = end + 1
    return pieces


def join(parts):
    """The same with neighbouring literals and neighbouring values merged."""
    result = []
    for part in parts:
        if result and isinstance(part, str) and isinstance(result[-1], str):
            result[-1] += part
        elif not (part is None and result and result[-1] is None):
            result.append(part)
    return result


def has_text(parts):
    """Whether a word of a message is in it."""
    return any(
        (
            bool(re.search("[A-Za-z]{2}", part))
            if isinstance(part, str)
            else any(map(has_text, part or []))
        )
        for part in parts
    )


def choice(tokens):
    """The two sides of a conditional expression, None of another one."""
    condition = split(tokens, "?")[0]
    rest = tokens[len(condition) + 1 :]
    depth = 1
    i = 0
    while i < len(rest):
        if rest[i].op("(", "[", "{"):
            i = group_end(rest, i)
        elif rest[i].op("?", ":"):
            depth += 1 if rest[i].text == "?" else -1
            if depth == 0:
                return rest[:i], rest[i + 1 :]
        i += 1
    return None


def expression(tokens):
    """The parts of a text that is put together by `+` or `<<`."""
    sides = choice(tokens)
    if sides:
        sides = [expression(side) for side in sides]
        return [sides] if any(map(has_text, sides)) else [None]
    parts = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        following = tokens[i + 1] if i + 1 < len(tokens) else Token("op", "", 0)
        if token.kind in ("string", "char"):
            parts.append(token.text)
        elif token.op("(", "[", "{"):
            end = group_end(tokens, i)
            before = tokens[i - 1] if i else Token("op", "+", 0)
            if before.op("<<", "+", ",") or before.kind == "word" and last(before.text) in WRAPPERS:
                parts += expression(tokens[i + 1 : end])
            else:
                parts.append(None)
            i = end
        elif token.kind == "word" and not following.op("::"):
            if not token.text.startswith(".") and not (
                following.op("(") and last(token.text) in WRAPPERS and "." not in token.text
            ):
                parts.append(None)
        i += 1
    return join(parts)


def is_declaration(tokens, i):
    """Whether the name at `i` is declared rather than called."""
    i -= 1
    while i > 0 and tokens[i].op("::"):
        i -= 2
    if tokens[i].kind == "word":
        return tokens[i].text not in ("return", "throw", "else")
    return tokens[i].op("*", "&", ">")


def chain_end(tokens, i):
    """The end of the expression that goes on at `i`."""
    while i < len(tokens):
        if tokens[i].op("(", "[", "{"):
            i = group_end(tokens, i)
        elif tokens[i].op(")", "]", "}", ";", ":", ","):
            return i
        i += 1
    return i


def continuations(tokens, start, name):
    """What is appended to the diagnostic `name` from `start` to the end of its block; what is
    returned before the end is one side of a choice."""
    parts = []
    depth = 0
    for i in range(start, len(tokens)):
        depth += tokens[i].op("{") - tokens[i].op("}")
        if depth < 0:
            break
        if tokens[i].kind == "word" and tokens[i].text == name and tokens[i + 1].op("<<"):
            stop = chain_end(tokens, i + 1)
            more = [None] + expression(tokens[i + 1 : stop])
            if tokens[i - 1].text == "return":
                rest = continuations(tokens, stop, name)
                return join(parts + ([[more, rest]] if rest else more))
            parts += more
    return join(parts)


def sink_arguments(tokens, i):
    """The index of the bracket of the arguments where `tokens[i]` is a sink, else None."""
    if tokens[i].kind != "word" or last(tokens[i].text) not in SINKS:
        return None
    if tokens[i].text == "ToolError":  # make_error<ToolError>(..)
        return i + 2 if tokens[i + 1].op(">") and tokens[i + 2].op("(") else None
    if tokens[i].text == "Error" and tokens[i - 1].text not in ("throw", "return"):
        return None
    return i + 1 if tokens[i + 1].op("(") and not is_declaration(tokens, i) else None


def diagnostic_variable(tokens, i):
    """`diag` of `InFlightDiagnostic diag = op->emitError(..)`, whose sink is at `i`."""
    start = max(0, i - 5)
    before = [token.text for token in tokens[start:i]]
    if "InFlightDiagnostic" in before and "=" in before:
        return before[before.index("=") - 1]
    return None


def sink_message(path, tokens, i, start):
    """The message of the sink at `i`, whose arguments begin at `start`."""
    end = group_end(tokens, start)
    texts, notes = [], []
    for argument in split(tokens[start + 1 : end], ","):
        if argument and argument[0].op("{"):
            notes += [expression(note) for note in split(argument[1:-1], ",")]
        elif any(part is not None for part in expression(argument)):
            texts.append(expression(argument))
    stop = chain_end(tokens, end + 1)
    chain = expression(tokens[end + 1 : stop]) if tokens[end + 1].op("<<") else []
    variable = diagnostic_variable(tokens, i)
    if variable:
        chain += continuations(tokens, stop, variable)
    name = last(tokens[i].text)
    kind, forms = SINKS[name], ["{}"]
    for prefix, sink, kind_there, forms_there in FORMS:
        if sink == name and path.startswith(prefix):
            kind, forms = kind_there, forms_there
            break
    texts = texts or [[]]
    form = next((f for f in forms if f.count("{}") == len(texts)), forms[0])
    texts = texts[: form.count("{}")]
    return Message(
        file=path,
        line=tokens[i].line,
        sink=name,
        kind=kind,
        parts=join([part for text in texts for part in [None, *text]][1:] + chain),
        text=form.format(*map(shown, texts[:-1] + [join(texts[-1] + chain)])),
        notes=[note for note in notes if has_text(note)],
    )


def read_cpp(path, source):
    """The messages of a C++ file."""
    tokens = tokens_of(source)
    indirect = INDIRECT.get(path, ())
    for i, token in enumerate(tokens[:-2]):
        start = sink_arguments(tokens, i)
        if start:
            yield sink_message(path, tokens, i, start)
        elif token.kind == "string" and re.match("(error|remark|note): .", token.text):
            kind, text = token.text.split(": ", 1)
            # One of printf has its values inside.
            values = [
                part for piece in re.split("%[a-z]+", text.rstrip()) for part in (piece, None)
            ]
            rest = expression(tokens[i + 1 : chain_end(tokens, i + 1)])
            yield Message(path, token.line, "", kind, join(values[:-1] + rest))
        elif token.text in indirect and (token.text == "return" or tokens[i + 1].op("=")):
            start = i + 1 if token.text == "return" else i + 2
            parts = expression(tokens[start : chain_end(tokens, start)])
            if " " in shown(parts):
                kind = "reason" if path.startswith("lib/Check/") else "error"
                yield Message(path, token.line, "", kind, parts)


def python_text(node):
    """The parts of a text in Python."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.FormattedValue):
        return python_text(node.value)
    if isinstance(node, ast.JoinedStr):
        return join([part for value in node.values for part in python_text(value)])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return join(python_text(node.left) + python_text(node.right))
    if isinstance(node, ast.IfExp):
        return [[python_text(node.body), python_text(node.orelse)]]
    return [None]


def read_python(path, source):
    """The messages of a Python file: what is raised, and what commands report."""
    for node in ast.walk(ast.parse(source)):
        call, kind = None, "error"
        if isinstance(node, ast.Raise):
            call = node.exc
        elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            call, kind = (node, PYTHON_SINKS[name]) if name in PYTHON_SINKS else (None, "")
        if isinstance(call, ast.Call) and call.args:
            parts = python_text(call.args[0])
            given = [k.value for k in call.keywords if k.arg == "notes"]
            notes = given[0].elts if given and isinstance(given[0], ast.List) else []
            notes = [note for note in map(python_text, notes) if has_text(note)]
            if has_text(parts):
                yield Message(path, call.lineno, "", kind, parts, notes=notes)


def sources():
    """The files with messages to a user; benchmarks are run by who develops."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".c", ".py") and path.parent.name != "benches":
                yield path


def all_messages():
    """The messages of the whole tree, those without a text of their own among them."""
    result = []
    for path in sources():
        read = read_python if path.suffix == ".py" else read_cpp
        found = read(str(path.relative_to(ROOT)), path.read_text())
        result += sorted(found, key=lambda message: message.line)
    return result


def shown(parts):
    """The text, with "..." for values and "(a | b)" for a choice."""
    text = ""
    for part in parts:
        if part is None:
            text += "..."
        elif isinstance(part, str):
            text += part
        else:
            text += "(" + " | ".join(map(shown, part)) + ")"
    return text
