//===- Error.cpp - printing an error, texts of status codes ---------------===//

#include "tprt/error.h"
#include "tprt/status.h"

#include <cstdio>

int tprt::reportError(const Error &error) {
  // Tokens that were streamed to stdout come first.
  std::fflush(stdout);
  std::string text = std::string("error: ") + error.what() + "\n";
  for (const std::string &note : error.notes())
    text += "note: " + note + "\n";
  std::fputs(text.c_str(), stderr);
  return error.exitCode();
}

const char *tprt_status_string(tprt_status_t status) {
  switch (status) {
  case TPRT_OK:
    return "ok";
  case TPRT_ABORTED:
    return "stopped because another rank failed";
  case TPRT_INVALID_ARGUMENT:
    return "invalid argument";
  case TPRT_OUT_OF_RANGE:
    return "index out of range";
  case TPRT_MISMATCH:
    return "ranks disagree about a collective";
  case TPRT_PEER_LOST:
    return "a rank left the program";
  case TPRT_TIMED_OUT:
    return "timed out";
  case TPRT_UNAVAILABLE:
    return "a library is missing";
  case TPRT_OUT_OF_MEMORY:
    return "out of memory";
  case TPRT_NOT_FINITE:
    return "a value is not finite";
  case TPRT_INTERNAL:
    return "internal error";
  case TPRT_BUSY:
    return "the session is in use";
  case TPRT_STOPPED:
    return "stopped by the caller";
  case TPRT_FAILED:
    return "failed";
  default:
    return "unknown status";
  }
}
