"""The models that tools/gpu-check runs: their shapes only, weights are made on the device."""

import json
from dataclasses import dataclass

import programs
from tp import tiny


def llama(layers, heads, kv_heads, head_dim, hidden, ffn, vocab, positions, tied):
    """The config.json of a model that never ends a sequence."""
    config = tiny.config_of("gqa9")
    config.update(
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        hidden_size=hidden,
        intermediate_size=ffn,
        vocab_size=vocab,
        max_position_embeddings=positions,
        tie_word_embeddings=tied,
        eos_token_id=None,
        rope_theta=500000.0,
    )
    return config


# SmolLM2's heads and widths in few layers, with a vocabulary that no mesh divides.
DECODER = llama(3, 9, 3, 64, 576, 1536, 4099, 256, True)
SMALL_DECODER = llama(2, 9, 3, 8, 72, 50, 97, 64, True)
LLAMA_8B = llama(32, 32, 8, 128, 4096, 14336, 128256, 8192, False)
SMALL_BENCH = llama(2, 6, 2, 16, 96, 80, 131, 128, False)


def write_hollow_checkpoint(directory, config):
    """A checkpoint of which tp-import reads the headers: its data is a hole in the file."""
    directory.mkdir(parents=True)
    header, offset = {}, 0
    for name, shape in tiny.shapes_of(config).items():
        size = 2
        for extent in shape:
            size *= extent
        header[name] = {
            "dtype": "BF16",
            "shape": list(shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(directory / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + offset)
    (directory / "config.json").write_text(json.dumps(config))
    return directory


@dataclass
class Work:
    """What a bf16 model must do: bytes that a step reads, operations of a prompt."""

    step_bytes: int
    prefill_flops: int


def weights_of_layer(config):
    """{name: (rows, columns)} of the products of a layer."""
    prefix = "model.layers.0."
    return {
        name.removeprefix(prefix).split(".")[-2]: shape
        for name, shape in tiny.shapes_of(config).items()
        if name.startswith(prefix) and len(shape) == 2
    }


def work_of(config, prompt):
    """Of a step behind `prompt` tokens and of the prompt itself, masks counted as half."""
    layers, hidden = config["num_hidden_layers"], config["hidden_size"]
    in_layers = layers * sum(rows * columns for rows, columns in weights_of_layer(config).values())
    head = config["vocab_size"] * hidden
    cache = 2 * layers * config["num_key_value_heads"] * config["head_dim"] * prompt
    attention = 2 * layers * config["num_attention_heads"] * config["head_dim"] * prompt**2
    return Work(2 * (in_layers + head + cache), 2 * (in_layers * prompt + head) + attention)


def products_module(config, chunks, copies):
    """A module with an entry for each chunk: the products of a layer, each alone, of as many
    weights each.

    Everything is a parameter, so that weights are random and no file is needed.
    """
    entries = []
    for chunk in chunks:
        entry = programs.Entry(f"products_{chunk}", "", [])
        inputs = {}
        for name, (rows, columns) in weights_of_layer(config).items():
            x = programs.Input(f"x_{chunk}_{columns}", (chunk, columns), "bf16", kind="parameter")
            inputs[x.name] = x
            for copy in range(copies):
                weight = programs.Input(f"{name}.{copy}", (rows, columns), "bf16", kind="parameter")
                inputs[weight.name] = weight
                programs.contract(
                    entry, x, weight, layout="nt", out="bf16", place=f"products.{name}"
                )
        entry.inputs = list(inputs.values())
        entries.append(entry)
    return programs.module(entries)
