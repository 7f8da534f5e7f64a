//===- tprt.h - C interface between compiled code and the runtime -*- C -*-===//
//
// Types and entry points that a compiled module uses, and the module that it
// exports. The entry points are expanded from abi.def, which describes each of
// them; docs/RuntimeABI.md describes buffers and the manifest.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_TPRT_H
#define TPRT_TPRT_H

#include "tprt/dtype.h"
#include "tprt/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPRT_ABI_VERSION 3

/* Name of the symbol of type tprt_module_t that a compiled module exports. */
#define TPRT_MODULE_SYMBOL "tprt_module"

/* Reductions. MAX and MIN are arith.maximumf/minimumf (NaN wins, -0 < +0) on
   floats and signed on integers; MAXNUM and MINNUM are arith.maxnumf/minnumf
   (NaN loses); MAXU and MINU compare integers as unsigned. */
typedef enum {
  TPRT_SUM = 0,
  TPRT_MUL = 1,
  TPRT_MAX = 2,
  TPRT_MIN = 3,
  TPRT_MAXU = 4,
  TPRT_MINU = 5,
  TPRT_AND = 6,
  TPRT_OR = 7,
  TPRT_XOR = 8,
  TPRT_MAXNUM = 9,
  TPRT_MINNUM = 10
} tprt_reduction_t;

/* What a product does to each element of its result: max(x, 0), or
   0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))). What relu makes of NaN is the
   library's. */
typedef enum { TPRT_NO_ACTIVATION = 0, TPRT_RELU = 1, TPRT_GELU_TANH = 2 } tprt_activation_t;

/* One rank's view of the running program; opaque to compiled code. */
typedef struct tprt_context tprt_context_t;

/* Numbers of 8 bytes in which kernels tell the first check that failed: 1 (else 0), the row
   of the operation, the value, the lower and the upper limit. */
#define TPRT_STATUS_WORDS 5

/* Body of a parallel loop over [begin, end). */
typedef void (*tprt_kernel_fn)(void *args, int64_t begin, int64_t end);

typedef tprt_status_t (*tprt_entry_fn)(tprt_context_t *ctx, void *const *buffers);

typedef struct {
  const char *name;
  tprt_entry_fn fn;
} tprt_entry_t;

/* What an image of device code is. */
typedef enum {
  TPRT_IMAGE_CUBIN = 0,
  TPRT_IMAGE_PTX = 1,    /* text, zero-terminated */
  TPRT_IMAGE_BITCODE = 2 /* of the nvptx64 target: what the emulated driver loads */
} tprt_image_kind_t;

/* The kernels of a program for GPUs, as code for one architecture. */
typedef struct {
  int32_t kind; /* tprt_image_kind_t */
  int32_t arch; /* 90 for sm_90 */
  const void *bytes;
  int64_t size;
} tprt_image_t;

typedef struct {
  int32_t abi_version; /* TPRT_ABI_VERSION */
  int32_t num_entries;
  const tprt_entry_t *entries;
  const char *manifest; /* JSON, zero-terminated */
  int32_t num_images;   /* 0 where the program is for CPUs */
  const tprt_image_t *images;
} tprt_module_t;

#define CTX tprt_context_t *
#define PTR void *
#define CPTR const void *
#define I32 int32_t
#define I64 int64_t
#define FN tprt_kernel_fn
#define TPRT_CALL(name, parameters) tprt_status_t tprt_##name parameters;
#define TPRT_QUERY(name, result, parameters) result tprt_##name parameters;
#include "tprt/abi.def"
#undef FN
#undef I64
#undef I32
#undef CPTR
#undef PTR
#undef CTX

/* Bytes of one element; 0 for a number that is no tprt_dtype_t. */
int64_t tprt_dtype_size(int32_t dtype);
/* "f32", "bf16", ...; "?" for a number that is no tprt_dtype_t. */
const char *tprt_dtype_name(int32_t dtype);
/* "sum", "max", ...; "?" for a number that is no tprt_reduction_t. */
const char *tprt_reduction_name(int32_t kind);

/* Command line of a linked executable: runs `module` and returns the exit code
   (0 done, 1 values differ, 2 bad input, 3 failure at run time). */
int tprt_main(int argc, char **argv, const tprt_module_t *module);

#ifdef __cplusplus
}
#endif

#endif /* TPRT_TPRT_H */
