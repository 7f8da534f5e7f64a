//===- RTDialect.td - What runs -------------------------------*- tablegen -*-===//

#ifndef RT_DIALECT_TD
#define RT_DIALECT_TD

include "mlir/IR/OpBase.td"

def RT_Dialect : Dialect {
  let name = "rt";
  let cppNamespace = "::mlir::tp::rt";
  let summary = "What runs: one operation per entry point of the runtime";
  let description = [{
    Operations take buffers: memrefs of static shape after bufferization, tensors before it (the collectives only, in
    destination form, so that bufferization sees them). Buffers that go to a collective are contiguous: row-major
    strides, any offset. All operations that may fail or that talk have an effect on one resource, `rt.order`: every
    rank runs them in one total order, and nothing upstream may drop, repeat or move them.

    Discardable attributes:
    - `rt.entry` (unit) on a function: an entry of the program. Its arguments are those of the program, then one
      destination per result that has a buffer of its own; it returns nothing.
    - `rt.result` (i64) on an argument of an entry: it is the destination of that result.
    - `rt.results` (array of dictionaries) on an entry: per result its `tp.*` attributes, `type` the local type, and
      `state` (i64), the argument that holds the new value, where the result is the new value of a state.
    - `rt.kernel` (unit) on a function: the body of a `rt.parallel_for`.
    - `rt.device` (unit) on a kernel: what each thread of a device does for a `rt.launch`.
    - `rt.tf32` (unit) on a module: products of f32 on the device may round their factors to tf32.
    - `rt.images` (array of strings) on a module: its kernels run on a device, as machine code for `sm_90`, as text that a
      newer device's driver compiles, `ptx_90`, and as what the emulated device runs, `emulated`.
    - `rt.arena_bytes`, `rt.arena_live_bytes` (i64) on an entry: size of the packed arena and the lower bound, the most
      bytes that are alive at one time.
    - `rt.symmetric_bytes` (i64) on an entry of a device: what small collectives take of the arena lies in so many bytes
      at its beginning, at the same places on all ranks.
  }];
  let useDefaultTypePrinterParser = 1;
}

#endif // RT_DIALECT_TD
