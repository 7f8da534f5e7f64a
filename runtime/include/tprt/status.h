//===- status.h - result of every fallible runtime call ---------*- C -*-===//
//
// A status is one 32-bit integer so that compiled code can test it with one
// comparison: zero is success, and compiled code returns the first non-zero
// status unchanged. The message (rank, operation, reason) is kept in the
// context; `TPRT_ABORTED` means that another rank failed first and that this
// rank has nothing of its own to report.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_STATUS_H
#define TPRT_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t tprt_status_t;

enum {
  TPRT_OK = 0,
  TPRT_ABORTED = 1,          /* another rank failed; this one stopped for it */
  TPRT_INVALID_ARGUMENT = 2, /* a call with a group, dtype or count that cannot be */
  TPRT_OUT_OF_RANGE = 3,     /* an index outside its bounds */
  TPRT_MISMATCH = 4,         /* ranks disagree about which collective comes next */
  TPRT_PEER_LOST = 5,        /* a rank left while others wait for it */
  TPRT_TIMED_OUT = 6,        /* a rank did not arrive within the configured time */
  TPRT_UNAVAILABLE = 7,      /* an outside library that is needed is missing */
  TPRT_OUT_OF_MEMORY = 8,    /* a buffer could not be allocated */
  TPRT_NOT_FINITE = 9,       /* --check-finite found an inf or NaN */
  TPRT_INTERNAL = 10,        /* an exception inside the runtime */
  TPRT_BUSY = 11,            /* another thread is in a call of the session */
  TPRT_STOPPED = 12,         /* the caller's own function asked to stop */
  TPRT_FAILED = 13           /* any other failure at run time */
};

/* Short lower-case text of a status, never null. */
const char *tprt_status_string(tprt_status_t status);

#ifdef __cplusplus
}
#endif

#endif /* TPRT_STATUS_H */
