//===- UseEmulated.h - Has the runtime find emulated libraries --*- C++ -*-===//

#ifndef TP_TEST_EMULATOR_USEEMULATED_H
#define TP_TEST_EMULATOR_USEEMULATED_H

#include <cstdlib>

namespace {

[[maybe_unused]] const bool usesEmulated = [] {
  setenv("TPRT_CUDA", TP_EMULATED_DIR "/libcuda.so.1", 1);
  setenv("TPRT_CUBLASLT", TP_EMULATED_DIR "/libcublasLt.so.13", 1);
  setenv("TPRT_NCCL", TP_EMULATED_DIR "/libnccl.so.2", 1);
  return true;
}();

} // namespace

#endif // TP_TEST_EMULATOR_USEEMULATED_H
