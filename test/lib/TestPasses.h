//===- TestPasses.h - Passes that only tests need --------------*- C++ -*-===//

#ifndef TEST_LIB_TESTPASSES_H
#define TEST_LIB_TESTPASSES_H

namespace mlir {
namespace tp {
namespace test {

void registerTestInterpret();

} // namespace test
} // namespace tp
} // namespace mlir

#endif // TEST_LIB_TESTPASSES_H
