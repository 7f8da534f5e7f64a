//===- CublasLt.cpp - cublasLt, found at run time --------------------------===//

#include "CublasLt.h"

#include "Driver.h"
#include "Library.h"

using namespace tprt::cuda;

namespace {

/// "13.1.0" of 130100.
std::string textOf(size_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

/// What the driver can run, the newest first.
std::vector<std::string> fileNames() {
  if (Driver::get().available() && Driver::get().version() < 13000)
    return {"libcublasLt.so.12"};
  return {"libcublasLt.so.13", "libcublasLt.so.12"};
}

} // namespace

const CublasLt &CublasLt::get() {
  static const CublasLt cublasLt;
  return cublasLt;
}

CublasLt::CublasLt() : problemText(open()) {
  if (!problemText.empty())
    static_cast<CublasLtCalls &>(*this) = CublasLtCalls();
}

std::string CublasLt::open() {
  const std::vector<std::string> names = fileNames();
  const Library library("TPRT_CUBLASLT", names);
  if (!library) {
    const std::string &wanted = names.front();
    return "cublasLt is not found (" + library.problem() + "); install the Python package " +
           (wanted == "libcublasLt.so.13" ? "nvidia-cublas" : "nvidia-cublas-cu12") +
           " or set TPRT_CUBLASLT to its " + wanted;
  }
  getVersion = reinterpret_cast<size_t (*)()>(library.find("cublasLtGetVersion"));
  if (!getVersion)
    return library.name() + " has no function cublasLtGetVersion, so it is not cublasLt";
  versionNumber = getVersion();
  if (versionNumber < minVersion)
    return library.name() + " is cublasLt " + textOf(versionNumber) + ", at least " +
           textOf(minVersion) + " is needed: install a newer one";
#define TPRT_CUBLASLT_CALL(result, call, symbol, parameters)                                       \
  call = reinterpret_cast<result(*) parameters>(library.find(#symbol));                            \
  if (!call)                                                                                       \
    return library.lacks(#symbol, "a newer cublasLt");
#include "CublasLtApi.def"
#undef TPRT_CUBLASLT_CALL
  return "";
}

std::string CublasLt::versionText() const { return textOf(versionNumber); }

std::string CublasLt::describe(LtStatus status) const {
  return std::string(getStatusName(status)) + ": " + getStatusString(status);
}
