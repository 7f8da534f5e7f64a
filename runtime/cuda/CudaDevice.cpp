//===- CudaDevice.cpp - a GPU as a rank's device ---------------------------===//

#include "CudaDevice.h"

#include "../core/Context.h"
#include "../core/Gemm.h"
#include "tprt/error.h"
#include "tprt/memory.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace tprt;
using namespace tprt::cuda;

namespace {

constexpr int64_t kSlotBytes = 8 << 20;
constexpr int64_t kStatusBytes = TPRT_STATUS_WORDS * sizeof(int64_t);
// Dynamic shared memory that each kernel may ask for without a word.
constexpr int32_t kPlainSharedBytes = 48 << 10;
// No memory has no address.
constexpr int64_t kLeastBytes = 256;

DevicePointer address(const void *memory) { return reinterpret_cast<DevicePointer>(memory); }

std::string describeImage(const tprt_image_t &image) {
  static constexpr const char *kKinds[] = {"cubin for sm_", "PTX for compute_", "bitcode for sm_"};
  return kKinds[image.kind] + std::to_string(image.arch);
}

/// Bitcode in LLVM's wrapper, which has its size.
std::string wrapped(const tprt_image_t &image) {
  const uint32_t header[5] = {0x0B17C0DE, 0, sizeof header, uint32_t(image.size), 0};
  return std::string(reinterpret_cast<const char *>(header), sizeof header) +
         std::string(static_cast<const char *>(image.bytes), size_t(image.size));
}

GemmShape shapeOf(const ProductInfo &product, bool tf32) {
  GemmShape shape;
  shape.m = product.m;
  shape.n = product.n;
  shape.k = product.k;
  shape.batch = product.batch;
  shape.transA = product.transA;
  shape.transB = product.transB;
  shape.dtype = product.dtype;
  shape.resultDType = product.resultDType;
  shape.lda = product.lda;
  shape.ldb = product.ldb;
  shape.ldc = product.ldc;
  shape.ldd = product.ldd;
  shape.strideA = product.strideA;
  shape.strideB = product.strideB;
  shape.strideC = product.strideC;
  shape.strideD = product.strideD;
  shape.strideBias = product.strideBias;
  shape.hasC = product.hasC;
  shape.hasBias = product.hasBias;
  shape.activation = static_cast<Activation>(product.activation);
  shape.tf32 = tf32 && product.dtype == TPRT_F32;
  return shape;
}

} // namespace

CudaDevice::CudaDevice(int number, const tprt_module_t &module, const Manifest &manifest)
    : driver(Driver::get()), number(number), tf32(manifest.tf32) {
  for (const ProductInfo &product : manifest.products)
    shapes.push_back(shapeOf(product, tf32));
  start();
  if (manifest.kernels.empty())
    return;
  code = load(module);
  for (const std::string &kernel : manifest.kernels) {
    Function function;
    if (const Result result = driver.moduleGetFunction(&function, code, kernel.c_str()))
      throw badInput("the program's images have no kernel '" + kernel +
                     "': " + driver.describe(result));
    kernels.push_back({kernel, function, kPlainSharedBytes});
  }
}

CudaDevice::CudaDevice(const CudaDevice &other)
    : driver(Driver::get()), number(other.number), kernels(other.kernels), shapes(other.shapes),
      tf32(other.tf32) {
  start();
  for (Kernel &kernel : kernels)
    kernel.sharedBytes = kPlainSharedBytes;
}

void CudaDevice::start() {
  char text[256];
  driver.check(driver.deviceGetName(text, sizeof text, number), "cuDeviceGetName");
  name = text;
  driver.check(driver.devicePrimaryCtxRetain(&context, number), "cuDevicePrimaryCtxRetain");
  enter();
  for (Stream &stream : streams)
    driver.check(driver.streamCreate(&stream, streamNonBlocking), "cuStreamCreate");
  for (Slot &slot : slots)
    driver.check(driver.eventCreate(&slot.copied, eventDisableTiming), "cuEventCreate");
  status = allocate(kStatusBytes, "what checks tell", Content::Zero);
  statusOnHost = static_cast<int64_t *>(allocateOnHost(kStatusBytes));
}

CudaDevice::~CudaDevice() {
  driver.ctxSetCurrent(context);
  dropGraphs();
  products.reset();
  for (Buffer &workspace : workspaces)
    workspace = Buffer();
  status = Buffer();
  driver.memFreeHost(statusOnHost);
  for (Slot &slot : slots) {
    if (slot.memory)
      driver.memFreeHost(slot.memory);
    driver.eventDestroy(slot.copied);
  }
  for (Stream stream : streams)
    driver.streamDestroy(stream);
  for (Event event : ownTimes.events)
    driver.eventDestroy(event);
  if (code)
    driver.moduleUnload(code);
  driver.devicePrimaryCtxRelease(number);
}

std::string CudaDevice::describe() const {
  return "GPU " + std::to_string(number) + " (" + name + ")";
}

int CudaDevice::attribute(DeviceAttribute which) const {
  int value = 0;
  driver.check(driver.deviceGetAttribute(&value, which, number), "cuDeviceGetAttribute");
  return value;
}

Module CudaDevice::load(const tprt_module_t &module) const {
  const int major = attribute(computeCapabilityMajor), minor = attribute(computeCapabilityMinor);
  const int arch = 10 * major + minor;
  std::vector<std::string> reasons;
  std::string list;
  auto attempt = [&](const tprt_image_t &image, const void *bytes) -> Module {
    Module loaded = nullptr;
    const Result result = driver.moduleLoadData(&loaded, bytes);
    if (result == ok)
      return loaded;
    reasons.push_back(describeImage(image) + ": " + driver.describe(result));
    return nullptr;
  };
  for (int32_t i = 0; i < module.num_images; ++i) {
    const tprt_image_t &image = module.images[i];
    list += (list.empty() ? "" : ", ") + describeImage(image);
    const bool fits = image.kind == TPRT_IMAGE_CUBIN
                          ? image.arch / 10 == major && image.arch <= arch
                          : image.kind == TPRT_IMAGE_PTX && image.arch <= arch;
    if (fits)
      if (const Module loaded = attempt(image, image.bytes))
        return loaded;
  }
  for (int32_t i = 0; i < module.num_images; ++i)
    if (module.images[i].kind == TPRT_IMAGE_BITCODE)
      if (const Module loaded = attempt(module.images[i], wrapped(module.images[i]).data()))
        return loaded;
  throw badInput(describe() + " of compute capability " + std::to_string(major) + "." +
                     std::to_string(minor) + " runs none of the program's images (" + list +
                     "): compile with --target cuda:sm_" + std::to_string(arch),
                 reasons);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Buffer CudaDevice::allocate(int64_t bytes, const std::string &what, Content content) {
  enter();
  DevicePointer pointer;
  const Result result = driver.memAlloc(&pointer, size_t(std::max(bytes, kLeastBytes)));
  if (result == outOfMemory)
    throw driver.outOfMemoryError("cannot allocate " + std::to_string(bytes) + " bytes for " + what,
                                  describe());
  driver.check(result, "cuMemAlloc");
  void *memory = reinterpret_cast<void *>(pointer);
  Buffer buffer(memory, bytes, [this](void *which) {
    driver.ctxSetCurrent(context);
    driver.memFree(address(which));
  });
  if (content == Content::Zero)
    fill(memory, 0, bytes);
  return buffer;
}

void *CudaDevice::allocateOnHost(int64_t bytes) const {
  void *memory = nullptr;
  const Result result = driver.memHostAlloc(&memory, size_t(bytes), 0);
  if (result == outOfMemory)
    throw runFailure("cannot allocate " + std::to_string(bytes) +
                         " bytes of this machine's memory for copies to and from " + describe() +
                         ": " + driver.describe(result),
                     {"other processes, or a limit (ulimit -v, a control group), leave too little"},
                     TPRT_OUT_OF_MEMORY);
  driver.check(result, "cuMemHostAlloc");
  return memory;
}

void CudaDevice::fill(void *to, int value, int64_t bytes) {
  if (bytes == 0)
    return;
  enter();
  driver.check(driver.memsetD8Async(address(to), static_cast<unsigned char>(value), size_t(bytes),
                                    compute()),
               "cuMemsetD8Async");
}

void CudaDevice::read(void *to, const void *from, int64_t bytes) {
  hasRead = true;
  synchronize();
  if (bytes == 0)
    return;
  // To memory that is not the driver's own: it waits.
  driver.check(driver.memcpyDtoHAsync(to, address(from), size_t(bytes), compute()),
               "cuMemcpyDtoHAsync");
  driver.check(driver.streamSynchronize(compute()), "cuStreamSynchronize");
}

const void *CudaDevice::view(const void *memory, int64_t bytes, std::string &copy) {
  copy.resize(size_t(bytes));
  read(copy.data(), memory, bytes);
  return copy.data();
}

int64_t CudaDevice::stageBytes() const { return kSlotBytes; }

void *CudaDevice::stage(void *, int64_t bytes) {
  if (bytes > kSlotBytes) {
    large.assign(size_t(bytes), 0);
    return large.data();
  }
  enter();
  Slot &slot = slots[nextSlot];
  if (!slot.memory)
    slot.memory = allocateOnHost(kSlotBytes);
  else
    driver.check(driver.eventSynchronize(slot.copied), "cuEventSynchronize");
  std::memset(slot.memory, 0, size_t(bytes));
  return slot.memory;
}

void CudaDevice::unstage(void *to, void *staged, int64_t bytes) {
  enter();
  if (bytes > 0)
    driver.check(driver.memcpyHtoDAsync(address(to), staged, size_t(bytes), compute()),
                 "cuMemcpyHtoDAsync");
  if (bytes > kSlotBytes) {
    // It has been read.
    large = std::vector<char>();
    return;
  }
  driver.check(driver.eventRecord(slots[nextSlot].copied, compute()), "cuEventRecord");
  nextSlot = (nextSlot + 1) % std::size(slots);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

void CudaDevice::enter() { driver.check(driver.ctxSetCurrent(context), "cuCtxSetCurrent"); }

void CudaDevice::launch(int32_t stream, int32_t number, int64_t blocks, int32_t threads,
                        int32_t sharedBytes, const void *args, int32_t count) {
  if (number < 0 || size_t(number) >= kernels.size())
    throw runFailure("kernel " + std::to_string(number) + " is not in the manifest", {},
                     TPRT_INVALID_ARGUMENT);
  if (blocks == 0)
    return;
  Kernel &kernel = kernels[size_t(number)];
  if (blocks < 0 || blocks > std::numeric_limits<int32_t>::max())
    throw runFailure("kernel '" + kernel.name + "' has " + std::to_string(blocks) +
                         " blocks, a GPU runs at most 2147483647 at once",
                     {}, TPRT_INVALID_ARGUMENT);
  if (sharedBytes > kernel.sharedBytes) {
    const int limit = attribute(maxSharedMemoryPerBlockOptin);
    if (sharedBytes > limit)
      throw runFailure("kernel '" + kernel.name + "' needs " + std::to_string(sharedBytes) +
                           " bytes of shared memory per block, " + describe() + " has " +
                           std::to_string(limit),
                       {}, TPRT_INVALID_ARGUMENT);
    driver.check(driver.funcSetAttribute(kernel.function, maxDynamicSharedBytes, sharedBytes),
                 "cuFuncSetAttribute");
    kernel.sharedBytes = sharedBytes;
  }
  parameters.clear();
  for (int32_t i = 0; i < count; ++i)
    parameters.push_back(const_cast<char *>(static_cast<const char *>(args) + 8 * i));
  driver.check(driver.launchKernel(kernel.function, unsigned(blocks), 1, 1, unsigned(threads), 1, 1,
                                   unsigned(sharedBytes), this->stream(stream), parameters.data(),
                                   nullptr),
               "cuLaunchKernel");
}

int32_t CudaDevice::findKernel(const std::string &name) const {
  for (size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == name)
      return int32_t(i);
  return -1;
}

void CudaDevice::copy(int32_t stream, const void *from, void *to, int64_t bytes) {
  if (bytes > 0)
    driver.check(
        driver.memcpyDtoDAsync(address(to), address(from), size_t(bytes), this->stream(stream)),
        "cuMemcpyDtoDAsync");
}

void CudaDevice::copyRows(const void *from, int64_t fromPitch, void *to, int64_t toPitch,
                          int64_t bytes, int64_t rows) {
  Copy2D copy;
  copy.fromType = copy.toType = memoryOfDevice;
  copy.fromDevice = address(from);
  copy.fromPitch = size_t(fromPitch);
  copy.toDevice = address(to);
  copy.toPitch = size_t(toPitch);
  copy.rowBytes = size_t(bytes);
  copy.rows = size_t(rows);
  driver.check(driver.memcpy2DAsync(&copy, communication()), "cuMemcpy2DAsync");
}

tprt_status_t CudaDevice::gemm(tprt_context &, int32_t stream, int32_t, const tprt::Gemm &g) {
  if (g.dtypeA != g.dtypeB)
    throw runFailure(std::string("a GPU multiplies matrices of one type, found ") +
                         tprt_dtype_name(g.dtypeA) + " and " + tprt_dtype_name(g.dtypeB),
                     {}, TPRT_INVALID_ARGUMENT);
  GemmShape shape;
  shape.m = g.m;
  shape.n = g.n;
  shape.k = g.k;
  shape.batch = g.batch;
  shape.transA = g.transA;
  shape.transB = g.transB;
  shape.dtype = g.dtypeA;
  shape.resultDType = g.dtypeC;
  shape.lda = g.lda;
  shape.ldb = g.ldb;
  shape.ldc = shape.ldd = g.ldc;
  shape.strideA = g.strideA;
  shape.strideB = g.strideB;
  shape.strideC = shape.strideD = g.strideC;
  shape.hasC = g.accumulate;
  GemmOperands operands;
  operands.a = address(g.a);
  operands.b = address(g.b);
  operands.c = g.accumulate ? address(g.c) : 0;
  operands.d = address(g.c);
  if (const GemmEpilogue *epilogue = g.epilogue) {
    shape.hasC = epilogue->c;
    shape.ldc = epilogue->c ? epilogue->ldc : g.ldc;
    shape.strideC = epilogue->strideC;
    operands.c = address(epilogue->c);
    shape.hasBias = epilogue->bias;
    shape.strideBias = epilogue->strideBias;
    operands.bias = address(epilogue->bias);
    shape.activation = static_cast<Activation>(epilogue->activation);
  }
  shape.tf32 = tf32 && g.dtypeA == TPRT_F32;
  getProducts().run(shape, operands, workspace(stream), this->stream(stream));
  return TPRT_OK;
}

cuda::Gemm &CudaDevice::getProducts(std::shared_ptr<GemmChoices> choices) {
  if (!products)
    products = std::make_unique<Gemm>(number, kProductWorkspaceBytes, std::move(choices));
  return *products;
}

DevicePointer CudaDevice::workspace(int32_t stream) {
  Buffer &workspace = workspaces[stream ? 1 : 0];
  if (!workspace.data())
    workspace =
        allocate(kProductWorkspaceBytes, "the workspace of matrix products", Content::Undefined);
  return address(workspace.data());
}

std::string CudaDevice::chooseProducts(const std::string &known, const std::string &path,
                                       bool measured) {
  auto choices = std::make_shared<GemmChoices>();
  choices->add(known, path);
  if (shapes.empty())
    return known;
  enter();
  cuda::Gemm &gemm = getProducts(choices);
  workspace(0);
  for (const GemmShape &shape : shapes)
    if (measured && !gemm.isChosen(shape))
      measure(shape);
    else
      gemm.prepare(shape);
  return choices->text();
}

void CudaDevice::measure(const GemmShape &shape) {
  // Ordinary numbers in every format: 0.0115 in f32 and bf16, 1.06 in f16.
  constexpr int kByte = 0x3C;
  std::vector<Buffer> buffers;
  auto make = [&](int64_t rows, int64_t columns, int64_t ld, int64_t stride, int32_t dtype) {
    const int64_t count = (shape.batch - 1) * stride + (rows - 1) * ld + columns;
    const int64_t bytes = count * tprt_dtype_size(dtype);
    buffers.push_back(
        allocate(bytes, "measuring the product " + shape.describe(), Content::Undefined));
    fill(buffers.back().data(), kByte, bytes);
    return address(buffers.back().data());
  };
  const GemmShape &s = shape;
  GemmOperands operands;
  operands.a = make(s.transA ? s.k : s.m, s.transA ? s.m : s.k, s.lda, s.strideA, s.dtype);
  operands.b = make(s.transB ? s.n : s.k, s.transB ? s.k : s.n, s.ldb, s.strideB, s.dtype);
  operands.d = make(s.m, s.n, s.ldd, s.strideD, s.resultDType);
  if (s.hasC)
    operands.c = make(s.m, s.n, s.ldc, s.strideC, s.resultDType);
  if (s.hasBias)
    operands.bias = make(1, s.n, s.n, s.strideBias, s.resultDType);
  getProducts().autotune(shape, operands, workspace(0), compute());
  synchronize();
}

void CudaDevice::wait() {
  enter();
  if (inEntry)
    inEntry->countHostWait();
  awaited.store(true, std::memory_order_release);
  Result result = ok;
  for (Stream stream : streams)
    if (result == ok)
      result = driver.streamSynchronize(stream);
  awaited.store(false, std::memory_order_release);
  driver.check(result, "cuStreamSynchronize");
}

void CudaDevice::synchronize() {
  wait();
  if (launched)
    tellTimes(launched->times);
  launched = nullptr;
  tellTimes(ownTimes);
  ownTimes.spans.clear();
  ownTimes.used = 0;
}

void CudaDevice::synchronize(int64_t *told) {
  enter();
  driver.check(
      driver.memcpyDtoHAsync(statusOnHost, address(status.data()), size_t(kStatusBytes), compute()),
      "cuMemcpyDtoHAsync");
  synchronize();
  std::copy_n(statusOnHost, TPRT_STATUS_WORDS, told);
  if (told[0])
    clearStatus();
}

void CudaDevice::clearStatus() { fill(status.data(), 0, kStatusBytes); }

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

size_t CudaDevice::recordTime(int32_t stream) {
  Times &to = times();
  if (to.used == to.events.size()) {
    Event event;
    driver.check(driver.eventCreate(&event, 0), "cuEventCreate");
    to.events.push_back(event);
  }
  driver.check(driver.eventRecordWithFlags(to.events[to.used], this->stream(stream),
                                           capturing ? eventRecordExternal : 0),
               "cuEventRecordWithFlags");
  return to.used++;
}

int64_t CudaDevice::beginSpan(Recorder &recorder, int32_t stream) {
  if (times().used == 0) // the device has nothing to do, so that it is there now
    times().first = recorder.now();
  return int64_t(recordTime(stream));
}

void CudaDevice::endSpan(Recorder &recorder, int32_t stream, int64_t begun, const Span &span) {
  const size_t end = recordTime(stream);
  times().spans.push_back({&recorder, span, size_t(begun), end});
}

void CudaDevice::tellTimes(const Times &times) const {
  auto timeOf = [&](size_t which) {
    float milliseconds = 0;
    driver.check(driver.eventElapsedTime(&milliseconds, times.events[0], times.events[which]),
                 "cuEventElapsedTime");
    return times.first + int64_t(double(milliseconds) * 1e6);
  };
  for (const Timed &one : times.spans) {
    Span span = one.span;
    span.begin = timeOf(one.begin);
    span.end = timeOf(one.end);
    one.recorder->record(span);
  }
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {

/// Why entries of the program are not kept; null where nothing is against it.
const char *reasonAgainstGraphs(const ProgramOptions &options) {
  if (!options.graphs)
    return "--no-graphs";
  if (options.virtualRanks)
    return "virtual ranks wait for each other's work";
  if (options.checkCollectives)
    return "ranks are compared before each collective";
  return options.jitter ? "ranks are delayed before each collective" : nullptr;
}

} // namespace

tprt_status_t CudaDevice::run(tprt_context &ctx, int entry,
                              const std::function<tprt_status_t()> &body) {
  struct Scope {
    Recorder *&inEntry;
    ~Scope() { inEntry = nullptr; }
  } scope{inEntry};
  inEntry = ctx.recorder;
  return enqueue(ctx, entry, body);
}

tprt_status_t CudaDevice::enqueue(tprt_context &ctx, int entry,
                                  const std::function<tprt_status_t()> &body) {
  against = reasonAgainstGraphs(ctx.program.options());
  if (against)
    return body();
  EntryGraph &graph = graphs[entry];
  if (graph.state == EntryGraph::Single)
    return body();
  if (graph.state == EntryGraph::New) {
    hasRead = false;
    const tprt_status_t status = body();
    if (status == TPRT_OK)
      graph.state = hasRead ? EntryGraph::Single : EntryGraph::Known;
    return status;
  }
  if (graph.state == EntryGraph::Known)
    if (const tprt_status_t status = capture(graph, body))
      return status;
  if (ctx.recorder)
    graph.times.first = ctx.recorder->now();
  launched = &graph;
  ctx.communicator->replay(graph.collectives, [&] {
    driver.check(driver.graphLaunch(graph.exec, compute()), "cuGraphLaunch");
  });
  return ctx.program.aborted() ? TPRT_ABORTED : TPRT_OK;
}

/// Of the calling thread's work alone: other ranks may do theirs.
tprt_status_t CudaDevice::capture(EntryGraph &graph, const std::function<tprt_status_t()> &body) {
  driver.check(driver.streamBeginCapture(compute(), captureThreadLocal), "cuStreamBeginCapture");
  capturing = &graph;
  const tprt_status_t status = body();
  capturing = nullptr;
  Graph captured = nullptr;
  const Result result = driver.streamEndCapture(compute(), &captured);
  if (status != TPRT_OK) {
    if (captured)
      driver.graphDestroy(captured);
    return status;
  }
  driver.check(result, "cuStreamEndCapture");
  const Result made = driver.graphInstantiate(&graph.exec, captured, 0);
  driver.graphDestroy(captured);
  driver.check(made, "cuGraphInstantiate");
  graph.state = EntryGraph::Kept;
  return TPRT_OK;
}

std::string CudaDevice::howRun(int entry) const {
  const auto found = graphs.find(entry);
  if (against)
    return std::string("one by one: ") + against;
  if (found == graphs.end() || found->second.state == EntryGraph::Known)
    return "one by one: the first call";
  return found->second.state == EntryGraph::Kept
             ? "as a graph"
             : "one by one: the entry reads what the device computes, and decides by that";
}

bool CudaDevice::hasGraphs() const {
  return std::any_of(graphs.begin(), graphs.end(),
                     [](const auto &graph) { return graph.second.exec != nullptr; });
}

void CudaDevice::dropGraphs() {
  for (auto &[entry, graph] : graphs) {
    if (graph.exec)
      driver.graphExecDestroy(graph.exec);
    for (Event event : graph.times.events)
      driver.eventDestroy(event);
  }
  graphs.clear();
  launched = nullptr;
}
