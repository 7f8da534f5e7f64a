"""The benchmarks of tools/bench, a module each with `run(options)`: whether all limits are kept."""
