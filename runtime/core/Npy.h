//===- Npy.h - writing NumPy files to an open output ------------*- C++ -*-===//

#ifndef TPRT_CORE_NPY_H
#define TPRT_CORE_NPY_H

#include "OutputFile.h"
#include "tprt/array.h"

namespace tprt {

/// Writes and commits; see writeNpy in tprt/array.h for types.
void writeNpy(OutputFile &file, const Array &array);

} // namespace tprt

#endif // TPRT_CORE_NPY_H
