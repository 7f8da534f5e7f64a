//===- Transport.h - what moves bytes between processes ---------*- C -*-===//
//
// The interface between the runtime and a library that is loaded at run time
// (runtime/mpi makes one of MPI), or with rank 0 as the switch (StarTransport.h). It is plain C,
// since executables link their C++ library statically. A transport moves bytes and nothing else:
// who talks to whom, reductions and failures are ours (runtime/processes).
//
// One thread calls it. Functions return 0, or not 0 with a text from `problem`.
// Nothing but `start`, `split` and `finish` waits for other processes.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_TRANSPORT_H
#define TPRT_PROCESSES_TRANSPORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPRT_TRANSPORT_VERSION 2
/* Symbol of type tprt_transport_fn that the library exports. */
#define TPRT_TRANSPORT_SYMBOL "tprt_transport_get"

/* A send or receive that has begun; opaque. */
typedef struct {
  uint64_t storage;
} tprt_request_t;

typedef struct {
  int32_t version; /* TPRT_TRANSPORT_VERSION */
  const char *(*problem)(void);
  /* Joins the other processes: this one's number and how many there are. */
  int32_t (*start)(int32_t *rank, int32_t *size);
  /* Called by all members of communicator `parent` (0: all processes): those with
     the same color make a communicator, ordered by key; color -1: none, *comm
     becomes -1. Messages of different communicators never meet. */
  int32_t (*split)(int32_t parent, int32_t color, int32_t key, int32_t *comm);
  /* `peer` is a number in `comm`; messages of one pair and tag keep their order.
     `bytes` is at most 2^30; a receive is for a message of exactly that size. */
  int32_t (*send)(int32_t comm, int32_t peer, int32_t tag, const void *data, int64_t bytes,
                  tprt_request_t *request);
  int32_t (*receive)(int32_t comm, int32_t peer, int32_t tag, void *data, int64_t bytes,
                     tprt_request_t *request);
  /* Sets *done when the request has ended, which ends its life. */
  int32_t (*test)(tprt_request_t *request, int32_t *done);
  /* Gives up requests that have not ended. */
  void (*drop)(tprt_request_t *requests, int32_t count);
  /* Leaves, together with all other processes. */
  int32_t (*finish)(void);
  /* A socket for the watch that leads to the same of `peer`, once for each after `start`;
     `pid` is the process of that rank where it runs on this machine, else 0. Null: the
     runtime connects processes itself. */
  int32_t (*channel)(int32_t peer, int64_t pid, int32_t *socket);
  /* Waits a moment for what was written to these sockets to be under way. Any thread. */
  void (*drain)(void);
} tprt_transport_t;

typedef const tprt_transport_t *(*tprt_transport_fn)(void);

#ifdef __cplusplus
}
#endif

#endif /* TPRT_PROCESSES_TRANSPORT_H */
