"""Front ends and helpers around the tp compiler: checkpoints, text, reports.

No compiler logic lives here. Modules:

  gguf       GGUF file -> Hugging Face directory           (python -m tp.gguf)
  generate   text in, text out with a compiled model       (python -m tp.generate)
  reference  small numpy forward pass of the Llama family, for tests
  tiny       tiny random checkpoints of awkward shapes, for tests
"""
