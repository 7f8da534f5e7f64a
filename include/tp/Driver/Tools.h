//===- Tools.h - What the tools do once main has begun ---------*- C++ -*-===//

#ifndef TP_DRIVER_TOOLS_H
#define TP_DRIVER_TOOLS_H

namespace mlir {
namespace tp {

/// tp-check, tp-compile and tp-run. Return the exit code: 0 done, 1 values differ or
/// not proved, 2 wrong input or usage, 3 failure at run time.
int checkMain(int argc, char **argv);
int compileMain(int argc, char **argv);
int runMain(int argc, char **argv);
/// tp-fuzz; 1 as well where a program crashes, hangs or is refused without reason.
/// Forks, so it must be called while the process has one thread.
int fuzzMain(int argc, char **argv);

} // namespace tp
} // namespace mlir

#endif // TP_DRIVER_TOOLS_H
