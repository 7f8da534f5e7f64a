"""Front ends and helpers around the tp compiler: checkpoints, text, reports.

No compiler logic lives here. Modules:

  gguf        GGUF file -> Hugging Face directory            (python -m tp.gguf)
  generate    text in, text out with a compiled model        (python -m tp.generate)
  embed       embeddings of texts by a compiled encoder      (python -m tp.embed)
  perplexity  of a text under a compiled model               (python -m tp.perplexity)
  module      compiled modules (tp-compile --shared) called with numpy arrays
  executable  compiled models run and asked from Python
  checkpoint  Hugging Face directories read and written
  text        tokenizers and chat templates
  reference   forward passes of all families in numpy, for tests
  tiny        tiny random checkpoints of awkward shapes      (python -m tp.tiny)
"""


def __getattr__(name):
    # tp.Module, without numpy being loaded for those who want something else.
    if name in ("Module", "ModuleError", "module"):
        import importlib

        module = importlib.import_module(".module", __name__)
        return module if name == "module" else getattr(module, name)
    raise AttributeError(f"module 'tp' has no attribute '{name}'")
