//===- CublasLt.cpp - cublasLt's calls, emulated ---------------------------===//
//
// What the library refuses is refused with its status; the text of a status adds why,
// which the library has no call for.
//
//===----------------------------------------------------------------------===//

#include "../Driver/System.h"
#include "Matmul.h"

#include <cstring>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

extern "C" {
#define TPRT_CUBLASLT_CALL(result, name, symbol, parameters)                                       \
  __attribute__((visibility("default"))) result symbol parameters;
#include "runtime/cuda/CublasLtApi.def"
#undef TPRT_CUBLASLT_CALL
}

/// What a handle is for.
struct cublasLtContext {
  int device;
};

namespace {

constexpr size_t version = 130100;
constexpr uint64_t workspaceAlignment = 256;

/// All that handles stand for.
struct Library {
  Handles<cublasLtContext, LtHandle> handles;
  Handles<LtMatmulDescState, LtMatmulDesc> descs;
  Handles<LtMatrixLayoutState, LtMatrixLayout> layouts;
  Handles<LtPreferenceState, LtPreference> preferences;
};

Library &library() {
  static auto *all = new Library; // As the system.
  return *all;
}

/// Of the thread.
thread_local Refusal lastRefusal;

LtStatus refuse(LtStatus status, const std::string &reason) {
  lastRefusal = {status, "emulated cublasLt: " + reason};
  return status;
}

/// Takes the value of an attribute.
template <typename T> LtStatus take(T &field, const void *value, size_t bytes) {
  if (!value || bytes != sizeof(T))
    return refuse(ltInvalidValue, "an attribute of " + std::to_string(sizeof(T)) + " bytes, not " +
                                      std::to_string(value ? bytes : 0));
  std::memcpy(&field, value, bytes);
  return ltOk;
}

LtStatus refuseAttribute() { return refuse(ltInvalidValue, "an attribute that is not emulated"); }
LtStatus refuseHandle() { return refuse(ltInvalidValue, "what is no handle, or was destroyed"); }

template <typename State, typename Handle>
LtStatus create(Handles<State, Handle> &all, Handle *handle, State state) {
  if (!handle)
    return refuse(ltInvalidValue, "no place for a handle");
  *handle = all.add(std::make_unique<State>(state));
  return ltOk;
}

/// Destroying nothing is allowed.
template <typename State, typename Handle>
LtStatus destroy(Handles<State, Handle> &all, Handle handle) {
  auto lock = System::get().lock();
  return !handle || all.remove(handle) ? ltOk : refuseHandle();
}

/// What the handles of a call stand for; fails where one stands for nothing, or the
/// product is none. With the system's lock held.
LtStatus assemble(LtHandle handle, LtMatmulDesc desc, LtMatrixLayout a, LtMatrixLayout b,
                  LtMatrixLayout c, LtMatrixLayout d, Matmul &matmul) {
  Library &all = library();
  if (!all.handles.get(handle))
    return refuse(ltNotInitialized, "what is no handle of cublasLt");
  if (!all.descs.get(desc) || !all.layouts.get(a) || !all.layouts.get(b) || !all.layouts.get(c) ||
      !all.layouts.get(d))
    return refuseHandle();
  matmul = {*desc, *a, *b, *c, *d};
  const Refusal refusal = matmul.check();
  return refusal.status == ltOk ? ltOk : refuse(refusal.status, refusal.reason);
}

//===----------------------------------------------------------------------===//
// Algorithms as bytes
//===----------------------------------------------------------------------===//

constexpr uint64_t magic = 0x544C2D6C756D6574;

/// What an algorithm is made for.
uint64_t kindOf(const Matmul &matmul) {
  return uint64_t(matmul.desc.epilogue) << 32 | matmul.desc.compute << 16 | matmul.a.type << 8 |
         matmul.d.type;
}

LtAlgo encode(const Matmul &matmul, const Algorithm &algorithm) {
  return {{magic, algorithm.parts, algorithm.vectors, kindOf(matmul)}};
}

LtStatus decode(const Matmul &matmul, const LtAlgo *algo, Algorithm &algorithm) {
  if (!algo || algo->data[0] != magic)
    return refuse(ltInvalidValue, "what is no algorithm");
  algorithm = {algo->data[1], algo->data[2] != 0};
  if (algo->data[3] != kindOf(matmul))
    return refuse(ltInvalidValue, "an algorithm for other types or another epilogue");
  if (!matmul.suits(algorithm))
    return refuse(ltNotSupported, "the algorithm needs columns at multiples of 16 bytes");
  return ltOk;
}

void fill(const Matmul &matmul, const Algorithm &algorithm, LtHeuristicResult &result) {
  result = {encode(matmul, algorithm), matmul.workspaceBytes(algorithm), ltOk, 1, {}};
}

} // namespace

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

size_t cublasLtGetVersion() { return version; }

const char *cublasLtGetStatusName(LtStatus status) {
  switch (status) {
  case ltOk:
    return "CUBLAS_STATUS_SUCCESS";
  case ltNotInitialized:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case ltAllocFailed:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case ltInvalidValue:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case ltArchMismatch:
    return "CUBLAS_STATUS_ARCH_MISMATCH";
  case ltMappingError:
    return "CUBLAS_STATUS_MAPPING_ERROR";
  case ltExecutionFailed:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case ltInternalError:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  case ltNotSupported:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  case ltLicenseError:
    return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "unrecognized status";
}

const char *cublasLtGetStatusString(LtStatus status) {
  if (status == ltOk || status != lastRefusal.status)
    return cublasLtGetStatusName(status);
  return lastRefusal.reason.c_str();
}

LtStatus cublasLtCreate(LtHandle *handle) {
  auto lock = System::get().lock();
  if (System::currentDevice() < 0)
    return refuse(ltNotInitialized, "the thread has no context");
  return create(library().handles, handle, cublasLtContext{System::currentDevice()});
}

LtStatus cublasLtDestroy(LtHandle handle) {
  auto lock = System::get().lock();
  return library().handles.remove(handle)
             ? ltOk
             : refuse(ltNotInitialized, "what is no handle of cublasLt");
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

LtStatus cublasLtMatmulDescCreate(LtMatmulDesc *desc, LtCompute compute, LtType scaleType) {
  auto lock = System::get().lock();
  return create(library().descs, desc, LtMatmulDescState{compute, scaleType});
}

LtStatus cublasLtMatmulDescSetAttribute(LtMatmulDesc desc, LtMatmulAttribute attribute,
                                        const void *value, size_t bytes) {
  auto lock = System::get().lock();
  LtMatmulDescState *state = library().descs.get(desc);
  if (!state)
    return refuseHandle();
  switch (attribute) {
  case ltPointerMode:
    return take(state->pointerMode, value, bytes);
  case ltTransposeA:
    return take(state->transposeA, value, bytes);
  case ltTransposeB:
    return take(state->transposeB, value, bytes);
  case ltEpilogue:
    return take(state->epilogue, value, bytes);
  case ltBiasPointer:
    return take(state->bias, value, bytes);
  case ltBiasBatchStride:
    return take(state->biasStride, value, bytes);
  case ltBiasType:
    return take(state->biasType, value, bytes);
  }
  return refuseAttribute();
}

LtStatus cublasLtMatmulDescDestroy(LtMatmulDesc desc) { return destroy(library().descs, desc); }

LtStatus cublasLtMatrixLayoutCreate(LtMatrixLayout *layout, LtType type, uint64_t rows,
                                    uint64_t columns, int64_t leadingDimension) {
  auto lock = System::get().lock();
  return create(library().layouts, layout,
                LtMatrixLayoutState{type, rows, columns, leadingDimension});
}

LtStatus cublasLtMatrixLayoutSetAttribute(LtMatrixLayout layout, LtLayoutAttribute attribute,
                                          const void *value, size_t bytes) {
  auto lock = System::get().lock();
  LtMatrixLayoutState *state = library().layouts.get(layout);
  if (!state)
    return refuseHandle();
  switch (attribute) {
  case ltOrder:
    return take(state->order, value, bytes);
  case ltBatchCount:
    return take(state->batch, value, bytes);
  case ltBatchStride:
    return take(state->batchStride, value, bytes);
  }
  return refuseAttribute();
}

LtStatus cublasLtMatrixLayoutDestroy(LtMatrixLayout layout) {
  return destroy(library().layouts, layout);
}

LtStatus cublasLtMatmulPreferenceCreate(LtPreference *preference) {
  auto lock = System::get().lock();
  return create(library().preferences, preference, LtPreferenceState());
}

LtStatus cublasLtMatmulPreferenceSetAttribute(LtPreference preference,
                                              LtPreferenceAttribute attribute, const void *value,
                                              size_t bytes) {
  auto lock = System::get().lock();
  LtPreferenceState *state = library().preferences.get(preference);
  if (!state)
    return refuseHandle();
  switch (attribute) {
  case ltMaxWorkspaceBytes:
    return take(state->maxWorkspaceBytes, value, bytes);
  case ltMinAlignmentA:
    return take(state->alignmentA, value, bytes);
  case ltMinAlignmentB:
    return take(state->alignmentB, value, bytes);
  case ltMinAlignmentC:
    return take(state->alignmentC, value, bytes);
  case ltMinAlignmentD:
    return take(state->alignmentD, value, bytes);
  }
  return refuseAttribute();
}

LtStatus cublasLtMatmulPreferenceDestroy(LtPreference preference) {
  return destroy(library().preferences, preference);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LtStatus cublasLtMatmulAlgoGetHeuristic(LtHandle handle, LtMatmulDesc desc, LtMatrixLayout a,
                                        LtMatrixLayout b, LtMatrixLayout c, LtMatrixLayout d,
                                        LtPreference preference, int wanted,
                                        LtHeuristicResult *results, int *found) {
  auto lock = System::get().lock();
  Matmul matmul;
  if (LtStatus status = assemble(handle, desc, a, b, c, d, matmul))
    return status;
  const LtPreferenceState *state = library().preferences.get(preference);
  if (!state)
    return refuseHandle();
  if (wanted <= 0 || !results || !found)
    return refuse(ltInvalidValue, "no place for results");
  *found = 0;
  for (const Algorithm &algorithm : matmul.algorithms(*state))
    if (*found < wanted)
      fill(matmul, algorithm, results[(*found)++]);
  return ltOk;
}

LtStatus cublasLtMatmulAlgoCheck(LtHandle handle, LtMatmulDesc desc, LtMatrixLayout a,
                                 LtMatrixLayout b, LtMatrixLayout c, LtMatrixLayout d,
                                 const LtAlgo *algo, LtHeuristicResult *result) {
  auto lock = System::get().lock();
  Matmul matmul;
  if (LtStatus status = assemble(handle, desc, a, b, c, d, matmul))
    return status;
  Algorithm algorithm;
  if (LtStatus status = decode(matmul, algo, algorithm))
    return status;
  if (!result)
    return refuse(ltInvalidValue, "no place for results");
  fill(matmul, algorithm, *result);
  return ltOk;
}

LtStatus cublasLtMatmul(LtHandle handle, LtMatmulDesc desc, const void *alpha, const void *a,
                        LtMatrixLayout aLayout, const void *b, LtMatrixLayout bLayout,
                        const void *beta, const void *c, LtMatrixLayout cLayout, void *d,
                        LtMatrixLayout dLayout, const LtAlgo *algo, void *workspace,
                        size_t workspaceBytes, Stream stream) {
  System &system = System::get();
  auto lock = system.lock();
  Matmul matmul;
  if (LtStatus status = assemble(handle, desc, aLayout, bLayout, cLayout, dLayout, matmul))
    return status;
  Algorithm algorithm;
  if (LtStatus status = decode(matmul, algo, algorithm))
    return status;
  StreamState *state = system.streams.get(stream);
  if (!state)
    return refuse(ltInvalidValue, "what is no stream");
  if (state->device != handle->device)
    return refuse(ltInvalidValue, "the stream is of device " + std::to_string(state->device) +
                                      ", the handle of " + std::to_string(handle->device));
  if (!alpha || !beta || !a || !b || !c || !d || (matmul.hasBias() && !matmul.desc.bias))
    return refuse(ltInvalidValue, "an address is missing");
  const std::pair<const void *, LtMatrixLayoutState *> operands[] = {
      {a, aLayout}, {b, bLayout}, {c, cLayout}, {d, dLayout}};
  for (auto [address, matrix] : operands)
    if (const uint64_t bytes = algorithm.alignment(*matrix);
        reinterpret_cast<uintptr_t>(address) % bytes)
      return refuse(ltNotSupported, "the algorithm needs operands at multiples of " +
                                        std::to_string(bytes) + " bytes");
  if (c == d && (matmul.c.leadingDimension != matmul.d.leadingDimension ||
                 matmul.c.batchStride != matmul.d.batchStride))
    return refuse(ltInvalidValue, "C lies where D does, but otherwise");
  const uint64_t needed = matmul.workspaceBytes(algorithm);
  if (needed > workspaceBytes)
    return refuse(ltInvalidValue, "the algorithm needs " + std::to_string(needed) +
                                      " bytes of workspace, not " + std::to_string(workspaceBytes));
  if (reinterpret_cast<uintptr_t>(workspace) % workspaceAlignment || (needed && !workspace))
    return refuse(ltInvalidValue, "workspace begins at multiples of 256 bytes");
  MatmulData data = {0,
                     0,
                     static_cast<const char *>(a),
                     static_cast<const char *>(b),
                     static_cast<const char *>(c),
                     static_cast<char *>(d),
                     static_cast<char *>(workspace)};
  auto scalarAt = [&](const void *from) -> double {
    if (matmul.desc.compute == ltCompute64)
      return *static_cast<const double *>(from);
    return *static_cast<const float *>(from);
  };
  data.alpha = scalarAt(alpha);
  data.beta = scalarAt(beta);
  DeviceMemory &memory = system.device(state->device).memory;
  auto work = [=, &memory](const Operation &operation) {
    return perform(matmul, algorithm, data, memory, operation);
  };
  if (system.enqueue(*state, matmul.describe(), work) == ok)
    return ltOk;
  lastRefusal = {ltExecutionFailed, system.faultText()};
  return ltExecutionFailed;
}
