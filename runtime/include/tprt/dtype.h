//===- dtype.h - element types ----------------------------------*- C -*-===//

#ifndef TPRT_DTYPE_H
#define TPRT_DTYPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. The numbers are part of the ABI. */
typedef enum {
  TPRT_F64 = 0,
  TPRT_F32 = 1,
  TPRT_F16 = 2,
  TPRT_BF16 = 3,
  TPRT_I64 = 4,
  TPRT_I32 = 5,
  TPRT_I16 = 6,
  TPRT_I8 = 7,
  TPRT_I1 = 8,   /* one byte, 0 or 1 */
  TPRT_INDEX = 9 /* stored as i64 */
} tprt_dtype_t;

#ifdef __cplusplus
}
#endif

#endif /* TPRT_DTYPE_H */
