"""Compiled modules as a library: what `tp-compile --shared` made, called with numpy arrays.

    import tp

    with tp.Module("libmodel.so") as module:
        with module.session(weights="checkpoint", threads=2) as session:
            (y,) = session.call("ffn", x=numpy.ones((6, 8), numpy.float32))
            rows = session.generate([[504, 3575, 282]], count=24)

Arrays are global values: the session splits them over the ranks and puts results
together. This file needs numpy and nothing else of the project; the shared object
holds the program and its runtime. The C interface below it is tprt/api.h.

Types of arrays. An argument takes its own type; bf16 and f16 also float32 (rounded),
index also int64, i1 also bool or int8 of 0 and 1. What has no type of its own (numbers,
lists) gets the argument's where that loses nothing but the rounding of floats: 300 does
not fit i8, and 1e300, which would round to infinity, not f32. Results have their own
type, but bf16 and f16 come as float32, index as int64, i1 as int8.

Every failure is a `ModuleError`, also an argument of another type than is said here; only
a call that Python itself refuses (an unknown name of an argument) is a TypeError.
"""

import ctypes
import functools
import operator
import os
import threading
import weakref

import numpy as np

_API_VERSION = 1

# --- tprt/api.h in ctypes ---------------------------------------------------

_INPUT, _PARAMETER, _STATE = 0, 1, 2
_KINDS = ("input", "parameter", "state", "result")
_DTYPES = ("f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1", "index")
_OK, _BUSY, _STOPPED = 0, 11, 12

# The type in which numpy holds a value of each type, as tp-run writes it.
_NUMPY = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float32,
    "bf16": np.float32,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "i1": np.int8,
    "index": np.int64,
}
# What a numpy array is to the module; bfloat16 is that of ml_dtypes.
_OF_NUMPY = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "bool": "i1",
}
# From here on numbers round to infinity: half a unit beyond the largest of the type.
_OVERFLOW = {
    "f32": 2.0**128 * (1 - 2.0**-25),
    "f16": 2.0**16 * (1 - 2.0**-12),
    "bf16": 2.0**128 * (1 - 2.0**-9),
}

_i32, _i64, _f64 = ctypes.c_int32, ctypes.c_int64, ctypes.c_double
_text = ctypes.c_char_p
_out_i32 = ctypes.POINTER(_i32)
_i64_array = ctypes.POINTER(_i64)
_token_fn = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, _i32, _i64)


class _Axis(ctypes.Structure):
    _fields_ = [("name", _text), ("size", _i64)]


class _Entry(ctypes.Structure):
    _fields_ = [("name", _text), ("num_arguments", _i32), ("num_results", _i32)]


class _Value(ctypes.Structure):
    _fields_ = [
        ("name", _text),
        ("kind", _i32),
        ("dtype", _i32),
        ("state", _i32),
        ("rank", _i32),
        ("shape", _i64_array),
        ("sharding", _text),
    ]


class _LanguageModel(ctypes.Structure):
    _fields_ = [
        ("batch", _i64),
        ("chunk", _i64),
        ("max_seq", _i64),
        ("vocab", _i64),
        ("eos", _i64_array),
        ("num_eos", _i32),
        ("prefill", _i32),
        ("decode", _i32),
    ]


class _Array(ctypes.Structure):
    _fields_ = [("dtype", _i32), ("rank", _i32), ("shape", _i64_array), ("data", ctypes.c_void_p)]


class _SessionOptions(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("weights", _text),
        ("random", _i32),
        ("threads", _i32),
        ("seed", ctypes.c_uint64),
        ("stats", _i32),
        ("check_collectives", _i32),
        ("check_finite", _i32),
        ("poison", _i32),
        ("timeout_seconds", _f64),
    ]


class _GenerateOptions(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("count", _i64),
        ("temperature", _f64),
        ("top_k", _i64),
        ("top_p", _f64),
        ("seed", ctypes.c_uint64),
        ("on_token", _token_fn),
        ("user", ctypes.c_void_p),
        ("logits", ctypes.c_void_p),
    ]


class _Memory(ctypes.Structure):
    _fields_ = [
        ("weights", _i64),
        ("state", _i64),
        ("arena", _i64),
        ("workspace", _i64),
        ("load_seconds", _f64),
    ]


class _Activity(ctypes.Structure):
    _fields_ = [
        ("calls", _i64),
        ("tokens", _i64),
        ("seconds", _f64),
        ("rank_seconds", _f64),
        ("wait_seconds", _f64),
        ("copy_seconds", _f64),
        ("collectives", _i64),
        ("bytes_sent", _i64),
    ]


_session = ctypes.c_void_p
_array = ctypes.POINTER(_Array)
# Functions that return a status, with their parameters.
_FUNCTIONS = {
    "module_mesh": (_out_i32, _out_i32),
    "module_axis": (_i32, ctypes.POINTER(_Axis)),
    "module_num_entries": (_out_i32,),
    "module_entry": (_i32, ctypes.POINTER(_Entry)),
    "module_argument": (_i32, _i32, ctypes.POINTER(_Value)),
    "module_find_entry": (_text, _out_i32),
    "module_find_argument": (_i32, _text, _out_i32),
    "module_result": (_i32, _i32, ctypes.POINTER(_Value)),
    "module_language_model": (ctypes.POINTER(_LanguageModel),),
    "session_open": (ctypes.POINTER(_SessionOptions), ctypes.POINTER(_session)),
    "session_close": (_session,),
    "session_set_input": (_session, _i32, _i32, _array),
    "session_call": (_session, _i32),
    "session_get_result": (_session, _i32, _i32, _array),
    "session_find_value": (_session, _text, ctypes.POINTER(_Value)),
    "session_set_value": (_session, _text, _array),
    "session_get_value": (_session, _text, _array),
    "session_reset_states": (_session,),
    "session_generate": (
        _session,
        ctypes.POINTER(_GenerateOptions),
        _i32,
        _i64_array,
        _i64_array,
        _i64_array,
        _i64_array,
    ),
    "session_memory": (_session, ctypes.POINTER(_Memory)),
    "session_activity": (_session, _i32, _i32, ctypes.POINTER(_Activity)),
}


class ModuleError(Exception):
    """What a module or a session could not do.

    str(error) is one line, with the place in the program where that is known.
      status   number of tprt/status.h: 2 for wrong input, 3 for an index out of range, 11
               for a session that another thread uses, ...
      kind     the status in words
      notes    further lines that help
    """

    def __init__(self, message, status=2, kind="invalid argument", notes=()):
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.notes = list(notes)


class _Library:
    """The functions of one shared object; a call that fails raises ModuleError."""

    # Path -> what the file was when this process loaded it: it stays loaded.
    _loaded = {}
    _lock = threading.Lock()

    def __init__(self, path):
        path = os.path.realpath(path)
        try:
            status = os.stat(path)
            file = (status.st_ino, status.st_size, status.st_mtime_ns)
            with self._lock:
                library = ctypes.CDLL(path)
                if self._loaded.setdefault(path, file) != file:
                    raise ModuleError(
                        f"{path}: the file has changed since this process loaded it",
                        notes=["load it in a new process, or give the new module another name"],
                    )
            api = library.tprt_api
        except OSError as error:
            reason = error.strerror or str(error)
            prefix = "" if reason.startswith(path) else f"{path}: cannot be loaded: "
            raise ModuleError(prefix + reason) from None
        except AttributeError:
            raise ModuleError(
                f"{path}: no module that tp-compile --shared made (it has no tprt_api)"
            ) from None
        api.restype = ctypes.c_void_p
        if not api(_API_VERSION):
            raise ModuleError(f"{path}: the module has no API version {_API_VERSION}")
        for name, parameters in _FUNCTIONS.items():
            setattr(self, name, self._checked(getattr(library, f"tprt_{name}"), parameters))
        library.tprt_module_manifest.restype = _text
        self._last_error = library.tprt_last_error
        self._status_string = library.tprt_status_string
        self._last_error.restype = self._status_string.restype = _text
        self.manifest = library.tprt_module_manifest().decode()

    def _checked(self, function, parameters):
        function.argtypes = parameters
        function.restype = _i32

        def call(*arguments):
            status = function(*arguments)
            if status != _OK:
                message, *notes = self._last_error().decode(errors="replace").split("\nnote: ")
                kind = self._status_string(status).decode()
                raise ModuleError(message, status, kind, notes)

        return call


# --- Values -----------------------------------------------------------------


class Value:
    """An argument or a result of an entry.

    name      its name in the program
    kind      "input", "parameter", "state" or "result"
    dtype     "f32", "bf16", "i64", "i1", "index", ...
    shape     of the global value
    sharding  how ranks hold it, as text
    state     of a result: the argument (a number) whose new value it is, else None
    """

    def __init__(self, raw):
        self.name = raw.name.decode()
        self.kind = _KINDS[raw.kind]
        self.dtype = _DTYPES[raw.dtype]
        self.shape = tuple(raw.shape[i] for i in range(raw.rank))
        self.sharding = raw.sharding.decode()
        self.state = None if raw.state < 0 else raw.state

    def __repr__(self):
        return f"<{self.kind} {self.name}: {self.dtype} {list(self.shape)} {self.sharding}>"


class Entry:
    """A function of the module.

    name       its name
    arguments  all `Value`s that it takes, in order
    inputs     those of kind "input": what `Session.call` takes
    results    all `Value`s that it returns
    outputs    those that are no new values of states: what `Session.call` returns
    """

    def __init__(self, library, number):
        raw = _Entry()
        library.module_entry(number, raw)
        self._number = number
        self.name = raw.name.decode()

        def value(read, index):
            raw = _Value()
            read(number, index, raw)
            return Value(raw)

        self.arguments = [value(library.module_argument, i) for i in range(raw.num_arguments)]
        self.results = [value(library.module_result, i) for i in range(raw.num_results)]

    @property
    def inputs(self):
        return [value for value in self.arguments if value.kind == "input"]

    @property
    def outputs(self):
        return [value for value in self.results if value.state is None]

    def __repr__(self):
        return f"<entry {self.name}: {self.inputs} -> {self.outputs}>"


def _to_array(given, value):
    """A C-contiguous array of what a caller gives for `value`."""
    what = f"'{value.name}'"
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise ModuleError(
            f"{what}: expected an array of shape {list(value.shape)}, found {_shown(given)}"
        ) from None
    if not isinstance(given, (np.ndarray, np.generic)):
        array = _to_type(array, value)
    name = array.dtype.name
    if name not in _OF_NUMPY:
        raise ModuleError(
            f"{what}: expected elements of type {value.dtype}, found numpy's {array.dtype}"
        )
    if array.dtype.byteorder not in "=|" and not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return np.require(array, requirements="C"), _DTYPES.index(_OF_NUMPY[name])


def _to_type(array, value):
    """What numpy made of numbers and lists, in the value's type where that is what they are."""
    wanted = np.dtype(_NUMPY[value.dtype])
    if array.size and array.dtype.kind not in ("bui" if wanted.kind == "i" else "buif"):
        return array
    with np.errstate(over="ignore"):
        result = array.astype(wanted)
    if wanted.kind == "i":
        limits = np.iinfo(wanted)
        lost = (array < limits.min) | (array > limits.max)
    else:
        magnitude = np.abs(result.astype(np.float64))
        lost = np.isfinite(array) & (magnitude >= _OVERFLOW.get(value.dtype, np.inf))
    if lost.any():
        raise ModuleError(f"'{value.name}': {array[lost][0]} does not fit {value.dtype}")
    return result


def _describe_array(array, dtype):
    shape = (_i64 * max(array.ndim, 1))(*array.shape)
    return _Array(dtype, array.ndim, shape, array.ctypes.data)


def _new_array(value):
    array = np.empty(value.shape, _NUMPY[value.dtype])
    return array, _describe_array(array, _DTYPES.index(_OF_NUMPY[array.dtype.name]))


def _int64s(numbers):
    return (_i64 * max(len(numbers), 1))(*numbers)


# --- Modules and sessions ---------------------------------------------------


class LanguageModel:
    """What `Session.generate` can do: `batch` rows at once, of together `max_seq` tokens each
    (prompt and new ones), ids below `vocab`; `eos` ids end a row; prefill takes `chunk` tokens
    a call."""

    def __init__(self, raw):
        self.batch, self.chunk = raw.batch, raw.chunk
        self.max_seq, self.vocab = raw.max_seq, raw.vocab
        self.eos = [raw.eos[i] for i in range(raw.num_eos)]

    def __repr__(self):
        return (
            f"<language model: batch {self.batch}, chunk {self.chunk}, max_seq {self.max_seq}, "
            f"vocab {self.vocab}, eos {self.eos}>"
        )


class Module:
    """A shared object that `tp-compile --shared` made.

    Raises ModuleError when `path` cannot be loaded or is no module. A loaded file stays in
    the process; one that is compiled anew needs another name or a new process. Any number of
    modules may be loaded, and any number of sessions be open.

      manifest        what the module says about itself, as JSON (docs/RuntimeABI.md)
      mesh            {axis: size}
      num_ranks       product of the sizes
      entries         {name: Entry}
      language_model  LanguageModel, or None
    """

    def __init__(self, path):
        self.path = os.fsdecode(_path(path, "path"))
        library = self._library = _Library(self.path)
        self.manifest = library.manifest
        ranks, axes, entries = _i32(), _i32(), _i32()
        library.module_mesh(ranks, axes)
        self.num_ranks = ranks.value
        self.mesh = {}
        for number in range(axes.value):
            axis = _Axis()
            library.module_axis(number, axis)
            self.mesh[axis.name.decode()] = axis.size
        library.module_num_entries(entries)
        listed = [Entry(library, number) for number in range(entries.value)]
        self.entries = {entry.name: entry for entry in listed}
        self.language_model = None
        raw = _LanguageModel()
        try:
            library.module_language_model(raw)
            self.language_model = LanguageModel(raw)
        except ModuleError:
            pass
        self._sessions = weakref.WeakSet()

    def session(self, **options):
        """Opens a `Session`; the options are those of `Session`."""
        return Session(self, **options)

    def close(self):
        """Closes the sessions that are open."""
        for session in list(self._sessions):
            session.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<module {self.path}: mesh {self.mesh}, entries {list(self.entries)}>"


def _exclusive(method):
    """A method of a session that is open, for one thread at a time and not from inside itself."""

    @functools.wraps(method)
    def wrapped(self, /, *arguments, **options):
        if not self._lock.acquire(blocking=False):
            message = "the session is in use: another call of it has not returned"
            raise ModuleError(message, _BUSY, "the session is in use")
        try:
            if not self._finalizer.alive:
                raise ModuleError("the session is closed")
            return method(self, *arguments, **options)
        finally:
            self._lock.release()

    return wrapped


class Session:
    """The ranks of a module with all their buffers.

      weights            directory of the checkpoint (safetensors); without one parameters have
                         no value until `set` gives them one
      random             without weights: random parameters, which depend on their names, `seed`
                         and the index only, as those of tp-run
      seed               of random parameters
      threads            per rank (default: processors / ranks)
      stats              measure what `activity` answers
      check_collectives  compare all ranks before each collective
      check_finite       a result that holds inf or NaN is a failure
      poison             memory that the program has not written starts as NaN
      timeout            seconds that a rank waits for another at most (0: for ever)

    Raises ModuleError for wrong options and for checkpoints that lack a tensor or have
    another shape or type. A session is used by one thread at a time: a call while another
    thread is in one raises ModuleError (status 11); different sessions are independent. A
    process forked from the one that opened a session cannot use it. `close` frees it, as does
    the end of `with`, and the end of its last reference.
    """

    def __init__(
        self,
        module,
        weights=None,
        random=False,
        seed=0,
        threads=0,
        stats=False,
        check_collectives=False,
        check_finite=False,
        poison=False,
        timeout=0.0,
    ):
        if not isinstance(module, Module):
            raise ModuleError(f"module must be a tp.Module, found {_shown(module)}")
        self._module = module
        self._library = module._library
        options = _SessionOptions(
            ctypes.sizeof(_SessionOptions),
            None if weights is None else _path(weights, "weights"),
            _flag(random, "random"),
            _fits(threads, "threads", -(2**31), 2**31 - 1),
            _fits(seed, "seed", 0, 2**64 - 1),
            _flag(stats, "stats"),
            _flag(check_collectives, "check_collectives"),
            _flag(check_finite, "check_finite"),
            _flag(poison, "poison"),
            _float(timeout, "timeout"),
        )
        handle = _session()
        self._library.session_open(options, handle)
        self._handle = handle
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _close_quietly, self._library, handle)
        module._sessions.add(self)

    def close(self):
        """Frees the session; a second time does nothing. Raises ModuleError while another
        thread is in a call."""
        if self._finalizer.alive:
            self._close()

    @_exclusive
    def _close(self):
        self._library.session_close(self._handle)
        self._finalizer.detach()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _entry(self, name):
        encoded = _encoded(name)
        if name not in self._module.entries:
            self._library.module_find_entry(encoded, _i32())  # raises
        return self._module.entries[name]

    @_exclusive
    def call(self, entry, /, *inputs, **named):
        """Runs an entry; its outputs, a tuple of arrays in the program's order.

        Inputs are arrays of the arguments' global shapes, in the order of `Entry.inputs` or by
        name; all must be given. New values of states are no outputs: `get` returns them.
        Raises ModuleError for what does not fit, and for failures at run time, which name the
        place in the program; after one of these the session runs nothing until `reset`.
        """
        entry = self._entry(entry)
        names = [value.name for value in entry.inputs]
        if len(inputs) > len(names):
            raise ModuleError(
                f"entry '{entry.name}' has {len(names)} inputs, found {len(inputs)}",
                notes=[f"inputs: {names}"],
            )
        given = dict(zip(names, inputs))
        for name, value in named.items():
            if name in given:
                raise ModuleError(f"input '{name}' of entry '{entry.name}' is given twice")
            given[name] = value
        for name in names:
            if name not in given:
                raise ModuleError(f"input '{name}' of entry '{entry.name}' is not given")
        for name, value in given.items():
            number = _i32()
            self._library.module_find_argument(entry._number, _encoded(name), number)
            array, dtype = _to_array(value, entry.arguments[number.value])
            described = _describe_array(array, dtype)
            self._library.session_set_input(self._handle, entry._number, number, described)
        self._library.session_call(self._handle, entry._number)
        outputs = []
        for number, value in enumerate(entry.results):
            if value.state is None:
                array, described = _new_array(value)
                self._library.session_get_result(self._handle, entry._number, number, described)
                outputs.append(array)
        return tuple(outputs)

    def _find(self, name):
        raw = _Value()
        self._library.session_find_value(self._handle, _encoded(name), raw)
        return Value(raw)

    @_exclusive
    def get(self, name):
        """The global value of a parameter or state."""
        array, described = _new_array(self._find(name))
        self._library.session_get_value(self._handle, _encoded(name), described)
        return array

    @_exclusive
    def set(self, name, value):
        """Gives a parameter or state a global value, an array of its shape."""
        array, dtype = _to_array(value, self._find(name))
        described = _describe_array(array, dtype)
        self._library.session_set_value(self._handle, _encoded(name), described)

    @_exclusive
    def reset(self):
        """Sets every state to zero; after a failed call the session works again."""
        self._library.session_reset_states(self._handle)

    @_exclusive
    def generate(
        self,
        prompts,
        count=None,
        temperature=0.0,
        top_k=0,
        top_p=1.0,
        seed=0,
        on_token=None,
        logits=False,
    ):
        """Continues prompts of token ids; a list of new ids per prompt.

          prompts      rows of ids, up to the batch of the program, of any lengths
          count        new tokens per row, at most (default: 16, or what fits); a row ends with
                       an end-of-sequence token, which is part of it
          temperature  0 takes the largest logit; otherwise logits are divided by it and a token
                       is chosen at random among the `top_k` most likely (0: all) and of these
                       among the fewest that have probability `top_p` together
          seed         equal seeds give equal tokens on any number of ranks
          on_token     called with (row, id) for each token as it comes; what it raises ends
                       the generation and is raised; StopIteration ends it and returns what
                       there is, without logits (None)
          logits       return (rows, logits): float32 [rows, count, vocab], those that gave each
                       token, zero where a row has none

        States start anew. Raises ModuleError for prompts that do not fit.
        """
        model = self._module.language_model
        if model is None:
            self._library.module_language_model(_LanguageModel())  # raises
        try:
            rows = [list(row) for row in prompts]
        except TypeError:
            raise ModuleError(
                f"prompts must be rows of token ids, as [[1, 2], [3]], found {_shown(prompts)}"
            ) from None
        rows = [[_fits(id_, "a token id", -(2**63), 2**63 - 1) for id_ in row] for row in rows]
        longest = max(map(len, rows), default=0)
        if count is None:
            count = max(min(16, model.max_seq - longest), 0)
        count = _fits(count, "count", 0, model.max_seq)
        if on_token is not None and not callable(on_token):
            raise ModuleError(f"on_token must be a function, found {_shown(on_token)}")
        raised = []

        def told(_, row, token):
            try:
                on_token(row, token)
                return 0
            except BaseException as error:
                raised.append(error)
                return 1

        options = _GenerateOptions(
            ctypes.sizeof(_GenerateOptions),
            count,
            _float(temperature, "temperature"),
            _fits(top_k, "top_k", -(2**63), 2**63 - 1),
            _float(top_p, "top_p"),
            _fits(seed, "seed", 0, 2**64 - 1),
            _token_fn() if on_token is None else _token_fn(told),
        )
        values = None
        if _flag(logits, "logits"):
            values = np.empty((len(rows), count, model.vocab), np.float32)
            options.logits = values.ctypes.data
        tokens = (_i64 * max(len(rows) * count, 1))()
        counts = (_i64 * max(len(rows), 1))()
        flat = _int64s([token for row in rows for token in row])
        lengths = _int64s([len(row) for row in rows])
        try:
            self._library.session_generate(
                self._handle, options, len(rows), lengths, flat, tokens, counts
            )
        except ModuleError as error:
            if error.status != _STOPPED or not raised:
                raise
            if not isinstance(raised[0], StopIteration):
                raise raised[0] from None
            values = None
        new = [tokens[row * count : row * count + counts[row]] for row in range(len(rows))]
        return (new, values) if logits else new

    @_exclusive
    def memory(self):
        """Bytes of one rank, the maximum over ranks: {"weights", "state", "arena", "workspace",
        "peak"}, and "load_seconds"."""
        raw = _Memory()
        self._library.session_memory(self._handle, raw)
        kinds = ("weights", "state", "arena", "workspace")
        result = {kind: getattr(raw, kind) for kind in kinds}
        return {**result, "peak": sum(result.values()), "load_seconds": raw.load_seconds}

    @_exclusive
    def activity(self, entry, rank=0):
        """What a rank did in all calls of an entry: {"calls", "tokens", "seconds",
        "rank_seconds", "wait_seconds", "copy_seconds", "collectives", "bytes_sent"}; needs
        `stats`. Seconds are from the beginning of each call until all ranks are done, and of
        the rank inside the entry, waiting and copying in collectives."""
        raw = _Activity()
        number = self._entry(entry)._number
        rank = _fits(rank, "rank", -(2**31), 2**31 - 1)
        self._library.session_activity(self._handle, number, rank, raw)
        return {name: getattr(raw, name) for name, _ in _Activity._fields_}

    def __repr__(self):
        return f"<session of {self._module.path}{'' if self._finalizer.alive else ', closed'}>"


def _close_quietly(library, handle):
    try:
        library.session_close(handle)
    except ModuleError:
        pass  # a forked process: the session is its parent's


def _shown(value):
    """A wrong argument in a message: one line, cut."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # as of an integer of too many digits
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _encoded(name):
    """A name for C, which ends at the first zero byte."""
    try:
        encoded = name.encode() if isinstance(name, str) else b"\0"
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise ModuleError(f"{_shown(name)} is no name")
    return encoded


def _path(given, name):
    """The bytes of a path for C."""
    try:
        encoded = os.fsencode(given)
    except (TypeError, UnicodeEncodeError):
        encoded = b"\0"
    if b"\0" in encoded:
        raise ModuleError(f"{name} must be a path, found {_shown(given)}")
    return encoded


def _fits(number, name, least, most):
    """An integer that ctypes would otherwise cut to its width."""
    try:
        value = operator.index(number)
    except TypeError:
        raise ModuleError(f"{name} must be an integer, found {_shown(number)}") from None
    if not least <= value <= most:
        raise ModuleError(f"{name} must be from {least} to {most}, found {_shown(value)}")
    return value


def _float(number, name):
    try:
        return _f64(number).value
    except (TypeError, OverflowError):
        raise ModuleError(f"{name} must be a number, found {_shown(number)}") from None


def _flag(value, name):
    if not isinstance(value, (int, np.bool_)) or value not in (0, 1):
        raise ModuleError(f"{name} must be True or False, found {_shown(value)}")
    return int(value)
