//===- RandomProgram.h - Small random tensor programs ----------*- C++ -*-===//
//
// Programs of one function `f` over f32 tensors of rank 0 to 3 with a mesh and
// random shardings on arguments, results and some values between. Equal seeds
// give equal programs.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_RANDOMPROGRAM_H
#define TEST_LIB_RANDOMPROGRAM_H

#include <cstdint>
#include <string>

namespace mlir {
namespace tp {
namespace test {

/// The text of a module.
std::string makeRandomProgram(uint64_t seed);

} // namespace test
} // namespace tp
} // namespace mlir

#endif // TEST_LIB_RANDOMPROGRAM_H
