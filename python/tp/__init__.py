"""Front ends and helpers around the tp compiler: checkpoints, text, reports.

No compiler logic lives here. Modules:

  gguf       GGUF file -> Hugging Face directory           (python -m tp.gguf)
  generate   text in, text out with a compiled model       (python -m tp.generate)
  module     compiled modules (tp-compile --shared) called with numpy arrays
  reference  small numpy forward pass of the Llama family, for tests
  tiny       tiny random checkpoints of awkward shapes, for tests
"""


def __getattr__(name):
    # tp.Module, without numpy being loaded for those who want something else.
    if name in ("Module", "ModuleError", "module"):
        import importlib

        module = importlib.import_module(".module", __name__)
        return module if name == "module" else getattr(module, name)
    raise AttributeError(f"module 'tp' has no attribute '{name}'")
