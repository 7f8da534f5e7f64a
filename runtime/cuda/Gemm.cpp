//===- Gemm.cpp - matrix products on a GPU ---------------------------------===//
//
// cublasLt's matrices are column-major, and its epilogues want that of the result. A
// row-major matrix is the column-major matrix of its transpose, so what it computes is
// D^T = op(B)^T op(A)^T: operands change places, and a bias is added to columns of D.
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"

#include "tprt/error.h"

#include <algorithm>
#include <climits>

using namespace tprt;
using namespace tprt::cuda;

namespace {

using std::to_string;

constexpr size_t workspaceAlignment = 256;

LtType typeOf(int32_t dtype) {
  return dtype == TPRT_F64    ? ltFloat64
         : dtype == TPRT_F32  ? ltFloat32
         : dtype == TPRT_BF16 ? ltBfloat16
                              : ltFloat16;
}

/// What divides the address: 256, else 16, which is what vectors have, else less.
uint32_t alignmentOf(DevicePointer pointer) {
  if (pointer % 256 == 0)
    return 256;
  uint32_t alignment = 16;
  while (pointer % alignment)
    alignment /= 2;
  return alignment;
}

void check(Result result, const std::string &what) {
  if (result != ok)
    throw runFailure(what + ": " + Driver::get().describe(result));
}

struct Delete {
  void operator()(LtMatmulDesc desc) const { CublasLt::get().matmulDescDestroy(desc); }
  void operator()(LtMatrixLayout layout) const { CublasLt::get().matrixLayoutDestroy(layout); }
  void operator()(LtPreference preference) const { CublasLt::get().preferenceDestroy(preference); }
};
using Layout = std::unique_ptr<LtMatrixLayoutState, Delete>;

/// `shape` is normalized.
std::string describe(const GemmShape &shape, const std::array<uint32_t, 4> &alignment) {
  std::string text = shape.describe() + " aligned";
  for (uint32_t bytes : alignment)
    text += " " + to_string(bytes);
  return text;
}

/// Checks a status of what only fails without memory.
void made(LtStatus status) {
  if (status != ltOk)
    throw runFailure("cublasLt cannot describe a product: " + CublasLt::get().describe(status));
}

Layout makeLayout(int32_t dtype, int64_t rows, int64_t columns, int64_t ld, int64_t batch,
                  int64_t stride) {
  const CublasLt &lt = CublasLt::get();
  LtMatrixLayout layout;
  made(lt.matrixLayoutCreate(&layout, typeOf(dtype), rows, columns, ld));
  Layout result(layout);
  const auto count = static_cast<int32_t>(batch);
  made(lt.matrixLayoutSetAttribute(layout, ltBatchCount, &count, sizeof(count)));
  made(lt.matrixLayoutSetAttribute(layout, ltBatchStride, &stride, sizeof(stride)));
  return result;
}

} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// A product as cublasLt knows it.
struct Gemm::Plan {
  GemmShape shape;
  Alignment alignment;
  /// Bytes of workspace at most.
  size_t limit;
  std::string text;
  std::unique_ptr<LtMatmulDescState, Delete> desc;
  /// By its names: A is our B.
  Layout a, b, c, d;
  LtAlgo algo;
};

Gemm::Gemm(Device device, size_t workspaceBytes, std::shared_ptr<GemmChoices> choices)
    : lt(CublasLt::get()), workspaceBytes(workspaceBytes), choices(std::move(choices)) {
  if (!lt.available())
    throw runFailure(lt.problem());
  char name[256];
  check(Driver::get().deviceGetName(name, sizeof(name), device),
        "device " + to_string(device) + " has no name");
  deviceName = name;
  if (const LtStatus status = lt.create(&handle))
    throw runFailure("cublasLt does not start on device " + to_string(device) + " (" + deviceName +
                     "): " + lt.describe(status));
}

Gemm::~Gemm() {
  plans.clear();
  lt.destroy(handle);
}

Gemm::Plan &Gemm::planOf(const GemmShape &shape, const Alignment &alignment, size_t limit) {
  const GemmShape s = shape.normalized();
  std::vector<int64_t> key = {s.m,          s.n,
                              s.k,          s.batch,
                              s.transA,     s.transB,
                              s.dtype,      s.resultDType,
                              s.lda,        s.ldb,
                              s.ldc,        s.ldd,
                              s.strideA,    s.strideB,
                              s.strideC,    s.strideD,
                              s.strideBias, s.hasC,
                              s.hasBias,    static_cast<int64_t>(s.activation),
                              s.tf32,       static_cast<int64_t>(limit)};
  key.insert(key.end(), alignment.begin(), alignment.end());
  std::unique_ptr<Plan> &known = plans[key];
  if (known)
    return *known;

  auto plan = std::make_unique<Plan>();
  plan->shape = s;
  plan->alignment = alignment;
  plan->limit = limit;
  plan->text = describe(s, alignment);
  LtMatmulDesc desc;
  const bool doubles = s.dtype == TPRT_F64;
  made(lt.matmulDescCreate(&desc,
                           doubles  ? ltCompute64
                           : s.tf32 ? ltComputeTf32
                                    : ltCompute32,
                           doubles ? ltFloat64 : ltFloat32));
  plan->desc.reset(desc);
  auto set = [&](LtMatmulAttribute attribute, auto value) {
    made(lt.matmulDescSetAttribute(desc, attribute, &value, sizeof(value)));
  };
  set(ltTransposeA, static_cast<int32_t>(s.transB ? ltTransposed : ltPlain));
  set(ltTransposeB, static_cast<int32_t>(s.transA ? ltTransposed : ltPlain));
  uint32_t epilogue = s.hasBias ? uint32_t(ltBias) : 0;
  if (s.activation != Activation::None)
    epilogue |= s.activation == Activation::Relu ? ltRelu : ltGelu;
  set(ltEpilogue, epilogue ? epilogue : uint32_t(ltNoEpilogue));
  if (s.hasBias) {
    // Stands for any: only its alignment counts.
    set(ltBiasPointer, reinterpret_cast<const void *>(GemmShape::biasAlignment));
    set(ltBiasBatchStride, s.strideBias);
  }
  plan->a =
      makeLayout(s.dtype, s.transB ? s.k : s.n, s.transB ? s.n : s.k, s.ldb, s.batch, s.strideB);
  plan->b =
      makeLayout(s.dtype, s.transA ? s.m : s.k, s.transA ? s.k : s.m, s.lda, s.batch, s.strideA);
  plan->c = makeLayout(s.resultDType, s.n, s.m, s.ldc, s.batch, s.strideC);
  plan->d = makeLayout(s.resultDType, s.n, s.m, s.ldd, s.batch, s.strideD);
  chooseAlgo(*plan);
  known = std::move(plan);
  return *known;
}

std::vector<LtHeuristicResult> Gemm::findAlgos(const Plan &plan, int count) const {
  LtPreference preference;
  made(lt.preferenceCreate(&preference));
  const std::unique_ptr<LtPreferenceState, Delete> owner(preference);
  const uint64_t limit = plan.limit;
  made(lt.preferenceSetAttribute(preference, ltMaxWorkspaceBytes, &limit, sizeof(limit)));
  const auto [a, b, c, d] = plan.alignment;
  const std::pair<LtPreferenceAttribute, uint32_t> alignments[] = {
      {ltMinAlignmentA, b}, {ltMinAlignmentB, a}, {ltMinAlignmentC, c}, {ltMinAlignmentD, d}};
  for (const auto &[attribute, bytes] : alignments)
    made(lt.preferenceSetAttribute(preference, attribute, &bytes, sizeof(bytes)));
  std::vector<LtHeuristicResult> results(count);
  int found = 0;
  const LtStatus status =
      lt.algoGetHeuristic(handle, plan.desc.get(), plan.a.get(), plan.b.get(), plan.c.get(),
                          plan.d.get(), preference, count, results.data(), &found);
  if (status != ltOk)
    throw runFailure("cublasLt cannot do the product " + plan.text + ": " + lt.describe(status));
  results.resize(found);
  results.erase(std::remove_if(results.begin(), results.end(),
                               [](const LtHeuristicResult &r) { return r.status != ltOk; }),
                results.end());
  if (results.empty())
    throw runFailure("cublasLt has no algorithm for the product " + plan.text + " with " +
                     to_string(plan.limit) + " bytes of workspace");
  return results;
}

void Gemm::chooseAlgo(Plan &plan) const {
  std::optional<LtAlgo> chosen;
  if (choices)
    chosen = choices->find({deviceName, lt.versionText()}, plan.text);
  LtHeuristicResult result;
  if (chosen &&
      lt.algoCheck(handle, plan.desc.get(), plan.a.get(), plan.b.get(), plan.c.get(), plan.d.get(),
                   &*chosen, &result) == ltOk &&
      result.workspaceBytes <= plan.limit)
    plan.algo = *chosen;
  else
    plan.algo = findAlgos(plan, 1).front().algo;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

bool isEmpty(const GemmShape &s) { return s.m == 0 || s.n == 0 || s.batch == 0; }

void checkShape(const GemmShape &shape) {
  if (const std::string problem = shape.findProblem(); !problem.empty())
    throw runFailure(problem);
}

void checkOperands(const GemmShape &shape, const GemmOperands &operands, DevicePointer workspace) {
  if (shape.hasBias && operands.bias % GemmShape::biasAlignment)
    throw runFailure("a bias begins at a multiple of 16 bytes: " + shape.describe());
  if (workspace % workspaceAlignment)
    throw runFailure("workspace begins at a multiple of 256 bytes: " + shape.describe());
}

std::array<uint32_t, 4> alignmentsOf(const GemmShape &shape, const GemmOperands &operands) {
  return {alignmentOf(operands.a), alignmentOf(operands.b),
          alignmentOf(shape.hasC ? operands.c : operands.d), alignmentOf(operands.d)};
}

} // namespace

void Gemm::prepare(const GemmShape &shape, size_t alignment) {
  checkShape(shape);
  if (isEmpty(shape) || shape.k == 0)
    return;
  const uint32_t bytes = alignmentOf(alignment);
  planOf(shape, {bytes, bytes, bytes, bytes}, workspaceBytes);
}

bool Gemm::isChosen(const GemmShape &shape, size_t alignment) const {
  const uint32_t bytes = alignmentOf(alignment);
  return choices && choices->find({deviceName, lt.versionText()},
                                  describe(shape.normalized(), {bytes, bytes, bytes, bytes}));
}

void Gemm::run(const GemmShape &shape, const GemmOperands &operands, DevicePointer workspace,
               Stream stream) {
  checkShape(shape);
  if (isEmpty(shape))
    return;
  checkOperands(shape, operands, workspace);
  GemmShape s = shape;
  GemmOperands o = operands;
  size_t limit = workspaceBytes;
  if (shape.k == 0) {
    // The product of a column and a row of zeros.
    size_t bytes = std::max(s.m, s.n) * tprt_dtype_size(s.dtype);
    bytes = (bytes + workspaceAlignment - 1) / workspaceAlignment * workspaceAlignment;
    if (bytes > limit)
      throw runFailure("an empty sum needs " + to_string(bytes) + " bytes of workspace, not " +
                       to_string(limit) + ": " + shape.describe());
    check(Driver::get().memsetD8Async(workspace, 0, bytes, stream), "zeros of an empty sum");
    s.k = 1;
    s.transA = true;
    s.transB = false;
    s.lda = s.m;
    s.ldb = s.n;
    s.strideA = s.strideB = 0;
    o.a = o.b = workspace;
    workspace += bytes;
    limit -= bytes;
  }
  const Plan &plan = planOf(s, alignmentsOf(s, o), limit);
  if (const LtStatus status = launch(plan, plan.algo, o, workspace, stream))
    throw runFailure("cublasLt cannot do the product " + plan.text + ": " + lt.describe(status));
}

LtStatus Gemm::launch(const Plan &plan, const LtAlgo &algo, const GemmOperands &operands,
                      DevicePointer workspace, Stream stream) const {
  auto pointer = [](DevicePointer address) { return reinterpret_cast<void *>(address); };
  if (plan.shape.hasBias) {
    const void *bias = pointer(operands.bias);
    made(lt.matmulDescSetAttribute(plan.desc.get(), ltBiasPointer, &bias, sizeof(bias)));
  }
  const double alpha = operands.alpha, beta = plan.shape.hasC ? operands.beta : 0;
  const float scale[2] = {float(alpha), float(beta)};
  const bool doubles = plan.shape.dtype == TPRT_F64;
  return lt.matmul(handle, plan.desc.get(), doubles ? static_cast<const void *>(&alpha) : &scale[0],
                   pointer(operands.b), plan.a.get(), pointer(operands.a), plan.b.get(),
                   doubles ? static_cast<const void *>(&beta) : &scale[1],
                   pointer(plan.shape.hasC ? operands.c : operands.d), plan.c.get(),
                   pointer(operands.d), plan.d.get(), &algo, pointer(workspace), plan.limit,
                   stream);
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

namespace {

class TimedEvent {
public:
  TimedEvent() { check(Driver::get().eventCreate(&event, 0), "an event for measuring"); }
  ~TimedEvent() { Driver::get().eventDestroy(event); }
  TimedEvent(const TimedEvent &) = delete;
  TimedEvent &operator=(const TimedEvent &) = delete;

  void record(Stream stream) {
    check(Driver::get().eventRecord(event, stream), "measuring a product");
  }
  /// Waits for this one.
  double microsecondsSince(const TimedEvent &begin) {
    const Driver &driver = Driver::get();
    check(driver.eventSynchronize(event), "measuring a product");
    float milliseconds = 0;
    check(driver.eventElapsedTime(&milliseconds, begin.event, event), "measuring a product");
    return milliseconds * 1000.0;
  }

private:
  Event event = nullptr;
};

} // namespace

std::optional<double> Gemm::measure(const Plan &plan, const LtAlgo &algo,
                                    const GemmOperands &operands, DevicePointer workspace,
                                    Stream stream) const {
  // Together, as the time between two events has what one launch costs.
  constexpr int rounds = 3, launches = 8;
  TimedEvent begin, end;
  if (launch(plan, algo, operands, workspace, stream) != ltOk)
    return std::nullopt;
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    begin.record(stream);
    for (int i = 0; i < launches; ++i)
      if (launch(plan, algo, operands, workspace, stream) != ltOk)
        return std::nullopt;
    end.record(stream);
    const double time = end.microsecondsSince(begin) / launches;
    best = round == 0 ? time : std::min(best, time);
  }
  return best;
}

GemmTimes Gemm::autotune(const GemmShape &shape, const GemmOperands &operands,
                         DevicePointer workspace, Stream stream, int count) {
  checkShape(shape);
  if (isEmpty(shape) || shape.k == 0)
    return {};
  checkOperands(shape, operands, workspace);
  Plan &plan = planOf(shape, alignmentsOf(shape, operands), workspaceBytes);
  GemmTimes times;
  for (const LtHeuristicResult &result : findAlgos(plan, count)) {
    // What the heuristic has need not run.
    const std::optional<double> time = measure(plan, result.algo, operands, workspace, stream);
    if (!time)
      continue;
    if (times.measured++ == 0)
      times.firstMicroseconds = *time;
    else if (*time >= times.bestMicroseconds)
      continue;
    times.bestMicroseconds = *time;
    plan.algo = result.algo;
  }
  if (times.measured == 0)
    throw runFailure("none of cublasLt's algorithms does the product " + plan.text);
  if (choices)
    choices->set({deviceName, lt.versionText()}, plan.text, plan.algo, times.bestMicroseconds);
  return times;
}
