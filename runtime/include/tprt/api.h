//===- api.h - using a compiled module as a library -------------*- C -*-===//
//
// The C interface (C99, C++) of a shared object that `tp-compile --shared` made.
// It contains the program and its runtime and needs nothing else of the project
// but this header and the ones it includes. The functions are listed in api.def;
// docs/UseAsALibrary.md has examples.
//
//   tprt_session_options_t options = TPRT_SESSION_OPTIONS_INIT;
//   tprt_session_t *session;
//   options.weights = "checkpoint";
//   if (tprt_session_open(&options, &session))
//     fprintf(stderr, "%s\n", tprt_last_error());
//
// Link a program with one module, or load any number of modules with dlopen and
// take the functions of each from its table:
//
//   tprt_api_fn get = (tprt_api_fn)dlsym(library, TPRT_API_SYMBOL);
//   const tprt_api_t *api = get(TPRT_API_VERSION);
//   api->session_open(&options, &session);
//
// Rules for all functions
//   threads   A session is used by one thread at a time: while one is in a call
//             of it, another one's call, or one from inside on_token, fails with
//             TPRT_BUSY and changes nothing. Who shares a session guards what
//             belongs together, as setting inputs and the call. Different
//             sessions, of one module or of several, may be used at the same
//             time. Rank 0 runs on the calling thread, the other ranks and workers
//             on threads of the session.
//   process   A module installs no signal handler, changes no environment variable
//             and no setting of the process, writes nothing to standard streams
//             and never exits or throws. A process that was forked from one with
//             open sessions cannot use these (TPRT_INVALID_ARGUMENT). Vectors of
//             integers that are divided by zero are undefined in the program and
//             raise SIGFPE; scalars are checked.
//   unload    dlclose is allowed when all sessions of the module are closed.
//   strings   UTF-8 or whatever bytes the program's names have, zero-terminated.
//   numbers   Entries, arguments, results, axes and ranks count from 0.
//   version   Functions, structures and numbers of one TPRT_API_VERSION only grow:
//             functions at the end of the table, members at the end of the
//             options, whose `size` says which of them the caller knows.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_API_H
#define TPRT_API_H

#include "tprt/dtype.h"
#include "tprt/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPRT_API_VERSION 1

/* The ranks of one module with all their buffers. */
typedef struct tprt_session tprt_session_t;

typedef enum { TPRT_INPUT = 0, TPRT_PARAMETER = 1, TPRT_STATE = 2, TPRT_RESULT = 3 } tprt_kind_t;

typedef struct {
  const char *name;
  int64_t size;
} tprt_axis_info_t;

typedef struct {
  const char *name;
  int32_t num_arguments;
  int32_t num_results;
} tprt_entry_info_t;

/* An argument or result; strings and shape live as long as the module is loaded. */
typedef struct {
  const char *name;
  int32_t kind;         /* tprt_kind_t */
  int32_t dtype;        /* tprt_dtype_t */
  int32_t state;        /* results: the argument, a state, whose new value it is, or -1 */
  int32_t rank;         /* number of dimensions, 0 for a scalar */
  const int64_t *shape; /* of the global value */
  const char *sharding; /* "[tp, _]": how ranks hold it, for people */
} tprt_value_info_t;

typedef struct {
  int64_t batch;      /* rows that it continues at once */
  int64_t chunk;      /* tokens of a row that prefill takes in one call */
  int64_t max_seq;    /* tokens of a row, the prompt's and new ones together */
  int64_t vocab;      /* token ids are 0 to vocab - 1 */
  const int64_t *eos; /* ids that end a row */
  int32_t num_eos;
  int32_t prefill, decode; /* entries */
} tprt_language_model_info_t;

/* A dense row-major global value in the caller's memory. As an input or a new
   value its type is the value's own or one that converts: f32 to bf16 and f16
   (rounded), f16 and bf16 to f32, i64 and index to each other, i8 and i1 (0 or 1)
   to each other. As a place for a result it has the value's own type, or f32 for
   bf16 and f16, i64 for index, i8 for i1. The shape must be the value's. */
typedef struct {
  int32_t dtype; /* tprt_dtype_t */
  int32_t rank;
  const int64_t *shape; /* may be null when rank is 0 */
  void *data;           /* not written where the function reads; may be null without elements */
} tprt_array_t;

/* Initialise with TPRT_SESSION_OPTIONS_INIT, then set what differs. */
typedef struct {
  size_t size;         /* sizeof(tprt_session_options_t) */
  const char *weights; /* directory of the checkpoint (safetensors); null: parameters have no
                          value until they are set, or are random */
  int32_t random;      /* without weights: 1 for random parameters, which depend on their names,
                          `seed` and the index only */
  int32_t threads;     /* per rank, 1 to 1024; 0: processors / ranks */
  uint64_t seed;       /* of random parameters */
  int32_t stats;       /* 1: measure what tprt_session_activity answers */
  int32_t check_collectives; /* 1: compare all ranks before each collective */
  int32_t check_finite;      /* 1: a result that holds inf or NaN is a failure */
  int32_t poison; /* 1: memory that the program has not written starts as NaN, or 0xA5 bytes */
  double timeout_seconds; /* longest wait of a rank for another; 0: for ever */
} tprt_session_options_t;

#define TPRT_SESSION_OPTIONS_INIT {sizeof(tprt_session_options_t), NULL, 0, 0, 0, 0, 0, 0, 0, 0.0}

/* Told each new token as it comes, on the thread that called; a result other than 0 stops. */
typedef int (*tprt_token_fn)(void *user, int32_t row, int64_t token);

/* Initialise with TPRT_GENERATE_OPTIONS_INIT, then set what differs. */
typedef struct {
  size_t size;            /* sizeof(tprt_generate_options_t) */
  int64_t count;          /* new tokens per row, at most */
  double temperature;     /* 0: the largest logit, whatever the next three say */
  int64_t top_k;          /* among the k most likely tokens; 0: among all */
  double top_p;           /* among the fewest tokens that have this probability together; 1: all */
  uint64_t seed;          /* equal seeds give equal tokens, on any number of ranks */
  tprt_token_fn on_token; /* may be null */
  void *user;             /* handed to on_token */
  float *logits; /* null, or [rows, count, vocab]: the logits that gave each new token, zero where
                    a row has none; written when everything is done */
} tprt_generate_options_t;

#define TPRT_GENERATE_OPTIONS_INIT                                                                 \
  {sizeof(tprt_generate_options_t), 16, 0.0, 0, 1.0, 0, NULL, NULL, NULL}

/* Bytes of one rank, the maximum over ranks, as allocated. */
typedef struct {
  int64_t weights, state, arena;
  int64_t workspace;   /* inputs, results, communication buffers */
  double load_seconds; /* opening the session */
} tprt_memory_t;

/* What one rank did in all calls of an entry, in seconds since the session was opened. The rest
   of rank_seconds is computation. */
typedef struct {
  int64_t calls;
  int64_t tokens;      /* that tprt_session_generate used the calls for */
  double seconds;      /* from the beginning of each call until all ranks are done */
  double rank_seconds; /* of this rank inside the entry */
  double wait_seconds; /* in collectives, for other ranks */
  double copy_seconds; /* in collectives, moving and combining data */
  int64_t collectives;
  int64_t bytes_sent; /* as tp-compile --explain counts */
} tprt_activity_t;

#define TPRT_FUNCTION(result, name, parameters) result tprt_##name parameters;
#include "tprt/api.def"
#undef TPRT_FUNCTION

/* The functions of one module, without the prefix tprt_. */
typedef struct {
  size_t size; /* sizeof(tprt_api_t) of the module */
#define TPRT_FUNCTION(result, name, parameters) result(*name) parameters;
#include "tprt/api.def"
#undef TPRT_FUNCTION
} tprt_api_t;

/* The table of this module; null when it does not have this version. */
const tprt_api_t *tprt_api(int32_t version);

/* For dlsym. */
#define TPRT_API_SYMBOL "tprt_api"
typedef const tprt_api_t *(*tprt_api_fn)(int32_t version);

#ifdef __cplusplus
}
#endif

#endif /* TPRT_API_H */
