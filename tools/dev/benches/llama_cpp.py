"""llama.cpp on the weights of the demo's model."""

import time

import model
from console import Progress, fail


def full_gguf(dtype="f32"):
    """The demo's model as GGUF with matrices of `dtype` (f32, bf16): the weights that we run."""
    import gguf

    output = model.GGUF.with_name(f"SmolLM2-135M-Instruct.{dtype.upper()}.gguf")
    cached = model.Cached(output, [model.GGUF])
    if cached.fresh:
        return output
    scratch = output.with_suffix(".partial")
    with Progress(f"writing the model as {dtype} GGUF") as progress:
        reader = gguf.GGUFReader(model.GGUF)
        writer = gguf.GGUFWriter(scratch, reader.fields["general.architecture"].contents())
        for name, field in reader.fields.items():
            if not name.startswith("GGUF.") and name != "general.architecture":
                sub_type = field.types[-1] if len(field.types) > 1 else None
                writer.add_key_value(name, field.contents(), field.types[0], sub_type)
        for tensor in reader.tensors:
            values = gguf.dequantize(tensor.data, tensor.tensor_type)
            if dtype == "f32" or values.ndim == 1:
                writer.add_tensor(tensor.name, values)
            else:
                kind = gguf.GGMLQuantizationType[dtype.upper()]
                writer.add_tensor(tensor.name, gguf.quantize(values, kind), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        scratch.rename(output)
    cached.done(progress.seconds)
    return output


class LlamaCpp:
    """llama.cpp through its C interface, on `threads` threads."""

    def __init__(self, path, threads, prompt_tokens, new_tokens):
        import llama_cpp

        self._api = llama_cpp
        self._new_tokens = new_tokens
        self._llama = llama_cpp.Llama(
            model_path=str(path),
            n_ctx=2 * (prompt_tokens + new_tokens),
            n_batch=prompt_tokens,
            n_ubatch=prompt_tokens,
            n_threads=threads,
            n_threads_batch=threads,
            verbose=False,
        )

    def _decode(self, tokens):
        array = (self._api.llama_token * len(tokens))(*tokens)
        batch = self._api.llama_batch_get_one(array, len(tokens))
        if self._api.llama_decode(self._llama.ctx, batch):
            fail("llama.cpp failed", status=3)
        # Waits for the result, as reading it would.
        self._api.llama_synchronize(self._llama.ctx)

    def measure(self, prompt):
        """(prefill, decode) tokens/s; any token will do as the one generated."""
        self._llama.reset()
        self._api.llama_memory_clear(self._api.llama_get_memory(self._llama.ctx), True)
        start = time.perf_counter()
        self._decode(prompt)
        middle = time.perf_counter()
        for i in range(self._new_tokens):
            self._decode([prompt[i % len(prompt)]])
        end = time.perf_counter()
        return len(prompt) / (middle - start), self._new_tokens / (end - middle)
