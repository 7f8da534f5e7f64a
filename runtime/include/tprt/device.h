//===- device.h - The devices of this machine -------------------*- C++ -*-===//

#ifndef TPRT_DEVICE_H
#define TPRT_DEVICE_H

#include <string>

namespace tprt {

/// What programs for the first CUDA device of this machine are made of: "sm_90" for one
/// of compute capability 9.0, "emulated" for an emulated one. Throws `Error` (exit code
/// 3) where there is none, saying what is missing.
std::string imageForThisMachine();

} // namespace tprt

#endif // TPRT_DEVICE_H
