//===- Nccl.cpp - NCCL, found at run time ----------------------------------===//

#include "Nccl.h"

#include "Library.h"

#include "tprt/error.h"

using namespace tprt::cuda;

namespace {

/// "2.28.9" of 22809.
std::string versionText(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

} // namespace

const Nccl &Nccl::get() {
  static const Nccl nccl;
  return nccl;
}

Nccl::Nccl() : problemText(open()) {
  if (!problemText.empty())
    static_cast<NcclCalls &>(*this) = NcclCalls();
}

std::string Nccl::open() {
  const Library library("TPRT_NCCL", {"libnccl.so.2"});
  if (!library)
    return "NCCL is not found (" + library.problem() +
           "); install libnccl2 or the Python package nvidia-nccl-cu13, or set TPRT_NCCL to its "
           "libnccl.so.2";
  auto *version = reinterpret_cast<NcclResult (*)(int *)>(library.find("ncclGetVersion"));
  if (!version)
    return library.name() + " has no function ncclGetVersion, so it is not NCCL";
  version(&versionNumber);
  bool hasWindows = versionNumber >= windowVersion;
  if (versionNumber < minVersion)
    return library.name() + " is NCCL " + versionText(versionNumber) + ", at least " +
           versionText(minVersion) + " is needed: install a newer one";
#define TPRT_NCCL_WINDOW_CALL(call, symbol, parameters)                                            \
  call = reinterpret_cast<NcclResult(*) parameters>(library.find(#symbol));                        \
  hasWindows = hasWindows && call;
#define TPRT_NCCL_CALL(call, symbol, parameters)                                                   \
  call = reinterpret_cast<NcclResult(*) parameters>(library.find(#symbol));                        \
  if (!call)                                                                                       \
    return library.lacks(#symbol, "a newer NCCL");
#include "NcclApi.def"
#undef TPRT_NCCL_CALL
  if (!hasWindows)
    windowProblemText =
        "NCCL " + versionText(versionNumber) + " has none, " + versionText(windowVersion) + " has";
  getLastError = reinterpret_cast<const char *(*)(Comm)>(library.find("ncclGetLastError"));
  if (!getLastError)
    return library.lacks("ncclGetLastError", "a newer NCCL");
  return "";
}

tprt::Error Nccl::failureOf(const std::string &call, NcclResult result, Comm comm) const {
  if (result != ncclUnhandledCudaError && result != ncclSystemError)
    return runFailure(call + " failed: " + getLastError(comm));
  return runFailure(call + " failed: " + getLastError(comm),
                    {"NCCL_DEBUG=WARN makes NCCL print what it asked of the system",
                     "NCCL shares memory between processes in /dev/shm, which containers keep "
                     "small: docker run --shm-size=1g makes it larger",
                     "NCCL_P2P_DISABLE=1 goes without GPUs that reach into each other's memory, "
                     "NCCL_SHM_DISABLE=1 without memory that processes share"});
}
