//===- Faults.h - arithmetic faults of compiled code ------------*- C++ -*-===//
//
// An integer division by zero is undefined in the program and a signal on the
// processor. Where installFaultHandler (tprt/session.h) was called, the signal
// becomes one error line with the place, and the exit status of a failure at run
// time; nothing of the process can go on.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_FAULTS_H
#define TPRT_CORE_FAULTS_H

#include <atomic>

namespace tprt {

/// The kernel that threads of one rank run or ran last, as text for messages; null
/// where that is not known.
using KernelPlace = std::atomic<const char *>;

/// What this thread works for; null for threads that run no compiled code.
extern thread_local const KernelPlace *currentPlace;

/// Where ranks are processes: told of a fault, without "error: ", instead of
/// printing it, on the thread of the fault in its signal handler. Does not return.
extern std::atomic<void (*)(const char *message)> faultReporter;

} // namespace tprt

#endif // TPRT_CORE_FAULTS_H
