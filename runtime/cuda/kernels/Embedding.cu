//===- Embedding.cu - Rows of a table --------------------------------------===//

#include "Library.h"

using namespace tprt;

namespace {

/// Copies `size` elements of type T, or writes zeros where `from` is null.
template <typename T> TPRT_INLINE void copyRow(const T *from, T *to, i64 size) {
  for (i64 i = threadX(); i < size; i += threadsX())
    to[i] = from ? from[i] : T{};
}

} // namespace

TPRT_LIBRARY void tprtk_embedding(const void *ids, const void *table, void *result, i64 count,
                                  i64 rows, i64 rowBytes, i64 firstRow) {
  const bool isAligned = (((u64)table | (u64)result) % 16 == 0) && rowBytes % 16 == 0;
  for (i64 i = blockX(); i < count; i += blocksX()) {
    // Unsigned: a negative row is larger than any size.
    const u64 row = ((const i64 *)ids)[i] - firstRow;
    const char *from = row < (u64)rows ? (const char *)table + row * rowBytes : nullptr;
    char *to = (char *)result + i * rowBytes;
    if (isAligned)
      copyRow((const Vector<u32, 4> *)from, (Vector<u32, 4> *)to, rowBytes / 16);
    else if (rowBytes % 4 == 0)
      copyRow((const u32 *)from, (u32 *)to, rowBytes / 4);
    else
      copyRow((const u16 *)from, (u16 *)to, rowBytes / 2);
  }
}
