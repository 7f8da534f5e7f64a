//===- Session.cpp - running the entries of a module ----------------------===//

#include "tprt/session.h"

#include "../cpu/OneDnn.h"
#include "../cuda/CudaFabric.h"
#include "../cuda/CudaProcess.h"
#include "../cuda/VirtualFabric.h"
#include "../threads/RankTeam.h"
#include "CountText.h"
#include "DType.h"
#include "GlobalValue.h"
#include "NearNames.h"
#include "OutputFile.h"
#include "Parameters.h"
#include "Safetensors.h"
#include "SessionImpl.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

using namespace tprt;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

ProgramOptions programOptions(const SessionOptions &options) {
  ProgramOptions result;
  result.workers = options.workers;
  result.checkCollectives = options.checkCollectives;
  result.jitter = options.jitterSeed.has_value();
  result.jitterSeed = options.jitterSeed.value_or(0);
  result.graphs = options.graphs;
  result.virtualRanks = options.virtualRanks > 0;
  result.timeoutSeconds = options.timeoutSeconds;
  result.sharing = options.world ? options.world->sharing() : 0;
  return result;
}

std::unique_ptr<Team> makeTeam(const tprt_module_t &module, const Manifest &manifest,
                               const SessionOptions &options, Program &program) {
  World *world = options.world;
  const bool onGpus = manifest.target == Target::CUDA;
  if (options.virtualRanks) {
    if (!onGpus)
      throw badInput("--virtual-ranks puts several ranks on one GPU, and the program is for "
                     "processors, which all ranks share anyway");
    if (world)
      throw badInput("--virtual-ranks puts all ranks on one GPU of one process: start it without "
                     "a launcher or with --launch threads");
    if (options.virtualRanks != program.numRanks())
      throw badInput("--virtual-ranks " + std::to_string(options.virtualRanks) +
                     ": the program's mesh has " + countText(program.numRanks(), "rank"));
    return std::make_unique<RankTeam>(
        program, std::make_unique<cuda::VirtualFabric>(program, module, manifest));
  }
  if (world)
    return world->join(
        program,
        onGpus ? std::make_unique<cuda::CudaProcess>(*world, program, module, manifest) : nullptr);
  if (onGpus)
    return std::make_unique<RankTeam>(
        program, std::make_unique<cuda::CudaFabric>(program, module, manifest));
  return std::make_unique<RankTeam>(program);
}

Manifest readManifest(const tprt_module_t &module) {
  if (module.abi_version != TPRT_ABI_VERSION)
    throw badInput("the module has ABI version " + std::to_string(module.abi_version) +
                   ", this runtime has " + std::to_string(TPRT_ABI_VERSION));
  Manifest manifest = parseManifest(module.manifest);
  for (const EntryInfo &entry : manifest.entries) {
    bool found = false;
    for (int32_t i = 0; i < module.num_entries; ++i)
      found |= entry.name == module.entries[i].name;
    if (!found)
      throw badInput("manifest: entry '" + entry.name + "' is not in the module");
  }
  return manifest;
}

const char *kindName(ValueKind kind) {
  return kind == ValueKind::State ? "state" : kind == ValueKind::Parameter ? "parameter" : "input";
}

/// Tells how far loading is, after two seconds and every two seconds then.
class LoadProgress {
public:
  LoadProgress(int64_t totalBytes, const std::function<void(const std::string &)> &tell)
      : total(totalBytes), tell(tell), last(Clock::now()) {}

  void add(int64_t bytes) {
    done += bytes;
    if (!tell || secondsSince(last) < 2)
      return;
    last = Clock::now();
    tell("loading weights: " + std::to_string(total ? done * 100 / total : 100) + " % of " +
         std::to_string(total >> 20) + " MiB per rank");
  }

private:
  const int64_t total;
  const std::function<void(const std::string &)> &tell;
  Clock::time_point last;
  int64_t done = 0;
};

/// The text of a file; none where there is no such file.
std::string readTextIfThere(const std::string &path) {
  errno = 0;
  std::ifstream file(path);
  if (!file && errno == ENOENT)
    return "";
  // A directory opens, and cannot be read.
  if (!file || (file.peek(), file.bad()))
    throw badInput(path + ": cannot be read: " + std::strerror(errno));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace

Session::Impl::Impl(const tprt_module_t &module, const SessionOptions &options)
    : options(shareOptions(options)), manifest(readManifest(module)),
      program(manifest.mesh, manifest.groups, manifest.operations, programOptions(this->options)),
      team(makeTeam(module, manifest, options, program)), commands(size_t(program.numRanks())),
      remotes(size_t(program.numRanks())) {
  // Opened before the first product, so that it does not count as part of it. A
  // program without large products runs without it.
  if (manifest.target == Target::CPU)
    OneDnn::get();
  const auto begin = Clock::now();
  for (const EntryInfo &entry : manifest.entries) {
    arenaBytes = std::max(arenaBytes, entry.arenaBytes);
    symmetricBytes = std::max(symmetricBytes, entry.symmetricBytes);
  }
  for (int rank : team->ranks()) {
    tprt_context &ctx = team->context(rank);
    const std::string what = "the arena of rank " + std::to_string(rank);
    arenas.push_back(symmetricBytes
                         ? ctx.communicator->allocate(*ctx.device, arenaBytes, what)
                         : ctx.device->allocate(arenaBytes, what, Device::Content::Undefined));
    ctx.arena = arenas.back().data();
  }
  shareArenas();
  chooseProducts();
  reserve();
  for (size_t i = 0; i < manifest.entries.size(); ++i)
    allocateEntry(int(i), module);
  if (options.weights || !options.zeroParameters)
    loadParameters();
  // While loading, not in a call.
  runOnRanks([&](tprt_context &ctx) {
    for (auto &[name, value] : stored)
      if (value.info->kind == ValueKind::State)
        ctx.device->prepare(value.buffers[size_t(ctx.rank)].data(), value.info->localBytes());
    ctx.device->prepare(ctx.arena, arenaBytes);
  });
  loadSeconds = secondsSince(begin);
  if (this->options.stats || this->options.trace)
    startRecording();
}

Session::Impl::~Impl() {
  symmetricBytes = 0;
  shareArenas();
}

void Session::Impl::shareArenas() {
  for (int rank : team->ranks())
    if (const tprt_context &ctx = team->context(rank); ctx.communicator)
      ctx.communicator->setSymmetric(symmetricBytes ? ctx.arena : nullptr, symmetricBytes);
}

void Session::Impl::chooseProducts() {
  if (manifest.target == Target::CPU) {
    if (options.autotune)
      throw badInput("products are measured on GPUs, and the program was compiled for CPUs",
                     {"--autotune is for programs that were compiled with --target cuda"});
    return;
  }
  World *world = options.world;
  const bool hasFile = options.autotune && (!world || world->rank() == 0);
  const std::string path = options.autotune.value_or("");
  const std::string choices = hasFile ? readTextIfThere(path) : "";
  // Those of rank 0 are everyone's, so that replicas have the same bits.
  std::string chosen;
  runOnRanks([&](tprt_context &ctx) {
    if (ctx.rank == 0)
      chosen = ctx.device->chooseProducts(choices, path, options.autotune.has_value());
  });
  if (world && options.autotune && !hasFile)
    chosen = world->receive(0);
  for (int rank = 1; world && hasFile && rank < world->size(); ++rank)
    world->send(rank, chosen);
  runOnRanks([&](tprt_context &ctx) {
    if (ctx.rank != 0)
      ctx.device->chooseProducts(chosen, path, /*measure=*/false);
  });
  if (hasFile && chosen != choices && !manifest.products.empty()) {
    OutputFile file(path);
    file.write(chosen.data(), chosen.size());
    file.commit();
  }
}

void Session::Impl::startRecording() {
  const auto origin = shareOrigin();
  const auto spans = size_t(options.trace ? options.traceSpans : 0);
  for (int rank = 0; rank < program.numRanks(); ++rank)
    recorders.push_back(std::make_unique<Recorder>(manifest.entries.size(), origin, spans));
  for (int rank : team->ranks()) {
    team->context(rank).recorder = recorders[size_t(rank)].get();
    team->context(rank).communicator->recorder = recorders[size_t(rank)].get();
  }
  calls.resize(manifest.entries.size());
  callSeconds.resize(manifest.entries.size());
}

RankBuffers Session::Impl::allocate(const ValueInfo &value) {
  RankBuffers buffers(static_cast<size_t>(program.numRanks()));
  for (int rank : team->ranks())
    buffers[size_t(rank)] = team->context(rank).device->allocate(
        value.localBytes(), "'" + value.name + "' on rank " + std::to_string(rank),
        value.kind == ValueKind::Result ? Device::Content::Undefined : Device::Content::Zero);
  return buffers;
}

/// A multiple of what allocations of GPUs are aligned to.
static int64_t roundedBytes(const ValueInfo &value) {
  constexpr int64_t kAlignment = 256;
  static_assert(kAlignment % Buffer::kAlignment == 0);
  return (value.localBytes() + kAlignment - 1) / kAlignment * kAlignment;
}

static bool isLarge(const ValueInfo &value) { return value.localBytes() >= Buffer::kLarge; }

/// One mapping per rank for its large parameters and states: each in huge pages of
/// its own would take up to two MiB more.
void Session::Impl::reserve() {
  std::set<std::string> names;
  int64_t bytes = 0;
  for (const EntryInfo &entry : manifest.entries)
    for (const ValueInfo &value : entry.arguments)
      if (value.kind != ValueKind::Input && isLarge(value) && names.insert(value.name).second)
        bytes += roundedBytes(value);
  largeValues.resize(size_t(program.numRanks()));
  for (int rank : team->ranks())
    largeValues[size_t(rank)] = team->context(rank).device->allocate(
        bytes, "large parameters and states of rank " + std::to_string(rank),
        Device::Content::Zero);
}

RankBuffers Session::Impl::allocateStored(const ValueInfo &value) {
  if (!isLarge(value))
    return allocate(value);
  RankBuffers buffers(static_cast<size_t>(program.numRanks()));
  for (int rank : team->ranks())
    buffers[size_t(rank)] = Buffer(largeValues[size_t(rank)], largeBytes, value.localBytes());
  largeBytes += roundedBytes(value);
  return buffers;
}

void Session::Impl::zeroStates(int rank) {
  for (auto &[name, value] : stored)
    if (value.info->kind == ValueKind::State) {
      Buffer &buffer = value.buffers[size_t(rank)];
      team->context(rank).device->fill(buffer.data(), 0, buffer.bytes());
    }
}

void Session::Impl::allocateEntry(int index, const tprt_module_t &module) {
  const EntryInfo &info = manifest.entries[index];
  Entry entry;
  for (int32_t i = 0; i < module.num_entries; ++i)
    if (info.name == module.entries[i].name)
      entry.function = module.entries[i].fn;
  entry.pointers.resize(size_t(program.numRanks()));
  auto addPointers = [&](const RankBuffers &buffers) {
    for (int rank = 0; rank < program.numRanks(); ++rank)
      entry.pointers[rank].push_back(buffers.empty() ? nullptr : buffers[rank].data());
  };
  for (const ValueInfo &argument : info.arguments) {
    entry.inputs.emplace_back();
    if (argument.kind == ValueKind::Input) {
      entry.inputs.back() = allocate(argument);
      addPointers(entry.inputs.back());
      continue;
    }
    auto it = stored.find(argument.name);
    if (it == stored.end())
      it = stored.emplace(argument.name, Stored{&argument, allocateStored(argument)}).first;
    addPointers(it->second.buffers);
  }
  for (const ValueInfo &result : info.results) {
    entry.results.emplace_back();
    if (result.state < 0)
      entry.results.back() = allocate(result);
    addPointers(entry.results.back());
  }
  entries.push_back(std::move(entry));
}

void Session::Impl::runOnRanks(const std::function<void(tprt_context &)> &body) {
  std::vector<std::exception_ptr> failures(size_t(program.numRanks()));
  team->run([&](tprt_context &ctx) -> tprt_status_t {
    try {
      body(ctx);
    } catch (...) {
      failures[ctx.rank] = std::current_exception();
    }
    return TPRT_OK;
  });
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
  const Failure elsewhere = program.firstFailure();
  if (elsewhere.status != TPRT_OK)
    throw elsewhere.error();
}

void Session::Impl::loadParameters() {
  struct Load {
    const Stored *target;
    ParameterView view;
  };
  std::unique_ptr<Checkpoint> checkpoint;
  if (options.weights)
    checkpoint = std::make_unique<Checkpoint>(*options.weights);
  std::vector<Load> loads;
  int64_t bytes = 0;
  // In the order of the arguments, so that the first problem is the one named.
  std::map<const ValueInfo *, bool> seen;
  for (const EntryInfo &entry : manifest.entries)
    for (const ValueInfo &value : entry.arguments) {
      if (value.kind != ValueKind::Parameter)
        continue;
      const Stored &target = stored.at(value.name);
      if (!seen.emplace(target.info, true).second)
        continue;
      loads.push_back(
          {&target, checkpoint ? findParameter(*checkpoint, *target.info) : ParameterView()});
      bytes += target.info->localBytes();
    }
  runOnRanks([&](tprt_context &ctx) {
    LoadProgress progress(bytes, options.progress);
    for (const Load &load : loads) {
      const ValueInfo &info = *load.target->info;
      // What has to be read as a whole is not read piece by piece.
      const bool cut = !checkpoint || load.view.direct;
      forEachPiece(info, ctx.rank, cut ? ctx.device->stageBytes() : INT64_MAX,
                   [&](const ValueInfo &piece, int64_t offset) {
                     const int64_t bytes = piece.localBytes();
                     void *to = static_cast<char *>(load.target->buffers[ctx.rank].data()) + offset;
                     void *staged = ctx.device->stage(to, bytes);
                     if (checkpoint)
                       loadParameter(load.view, piece, 0, staged);
                     else
                       randomParameter(piece,
                                       parameterSpec(info, options.randomSeed, options.likeModel),
                                       0, staged, &ctx.workers);
                     ctx.device->unstage(to, staged, bytes);
                     if (ctx.rank == 0)
                       progress.add(bytes);
                   });
    }
    ctx.device->synchronize();
  });
}

void Session::Impl::poisonMemory(tprt_context &ctx, int index) {
  // NaN in every float format; results of integers get a pattern that is
  // neither zero nor -1.
  ctx.device->fill(ctx.arena, 0xff, arenaBytes);
  const EntryInfo &info = manifest.entries[index];
  for (size_t i = 0; i < info.results.size(); ++i) {
    const RankBuffers &buffers = entries[index].results[i];
    if (!buffers.empty())
      ctx.device->fill(buffers[ctx.rank].data(), isFloat(info.results[i].dtype) ? 0xff : 0xa5,
                       buffers[ctx.rank].bytes());
  }
}

tprt_status_t Session::Impl::checkFinite(tprt_context &ctx, int index) {
  const EntryInfo &info = manifest.entries[index];
  for (size_t i = 0; i < info.results.size(); ++i) {
    if (info.results[i].state >= 0)
      continue;
    const Buffer &buffer = entries[index].results[i][ctx.rank];
    std::string copy;
    const void *local = ctx.device->view(buffer.data(), buffer.bytes(), copy);
    std::vector<int64_t> where;
    int64_t position;
    if (findNotFinite(info.results[i], ctx.rank, local, where, position))
      return ctx.fail(TPRT_NOT_FINITE, -1,
                      "result " + std::to_string(i) + " of '" + info.name + "' is " +
                          elementText(info.results[i].dtype, local, position) + " at index " +
                          shapeText(where));
  }
  return TPRT_OK;
}

std::pair<int, int> Session::Impl::findStored(const std::string &name) const {
  std::vector<std::string> names;
  for (size_t entry = 0; entry < manifest.entries.size(); ++entry) {
    const std::vector<ValueInfo> &arguments = manifest.entries[entry].arguments;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].kind != ValueKind::Input && arguments[i].name == name)
        return {int(entry), int(i)};
  }
  for (const auto &[other, value] : stored)
    names.push_back(other);
  throw badInput("the program has no parameter or state '" + name + "'", nearNotes(name, names));
}

void Session::Impl::scatter(const Array &value, const std::string &what, int entry, int argument) {
  const ValueInfo &target = manifest.entries[size_t(entry)].arguments[size_t(argument)];
  if (value.shape != target.globalShape)
    throw badInput(what + ": expected shape " + shapeText(target.globalShape) + ", found " +
                   shapeText(value.shape));
  const Array converted = convertArray(value, target.dtype, what);
  for (int rank : team->ranks()) {
    Device &device = *team->context(rank).device;
    void *to = entries[size_t(entry)].pointers[size_t(rank)][size_t(argument)];
    void *staged = device.stage(to, target.localBytes());
    scatterValue(manifest, target, converted, rank, staged);
    device.unstage(to, staged, target.localBytes());
  }
  std::string local(leads() ? size_t(target.localBytes()) : 0, 0);
  for (int rank = 1; leads() && rank < program.numRanks(); ++rank) {
    scatterValue(manifest, target, converted, rank, local.data());
    BlobWriter &blob = command(rank, Command::SetValue);
    blob.put(int32_t(entry));
    blob.put(int32_t(argument));
    blob.putText(local);
  }
}

void Session::Impl::pass(int from, int result, int entry, int argument) {
  for (int rank = 1; leads() && rank < program.numRanks(); ++rank) {
    BlobWriter &blob = command(rank, Command::Pass);
    for (int number : {from, result, entry, argument})
      blob.put(int32_t(number));
  }
  entries.at(size_t(entry)).passed.push_back({from, result, argument});
}

Array Session::Impl::gather(int entry, const ValueInfo &value, size_t position,
                            const std::string &what) const {
  std::vector<std::string> arrived(size_t(program.numRanks()));
  std::vector<const void *> locals(arrived.size());
  for (int rank : team->ranks())
    locals[size_t(rank)] = team->context(rank).device->view(
        entries[entry].pointers[size_t(rank)][position], value.localBytes(), arrived[size_t(rank)]);
  for (int rank = 1; leads() && rank < program.numRanks(); ++rank) {
    BlobWriter &blob = command(rank, Command::Send);
    blob.put(int32_t(entry));
    blob.put(uint64_t(position));
  }
  if (leads())
    sendCommands();
  for (int rank = 1; leads() && rank < program.numRanks(); ++rank) {
    arrived[size_t(rank)] = options.world->receive(rank);
    locals[size_t(rank)] = arrived[size_t(rank)].data();
  }
  return gatherValue(manifest, value, locals, what);
}

void Session::Impl::resetStates() {
  if (program.aborted()) {
    team->restart();
    for (int rank : team->ranks())
      team->context(rank).device->clearStatus();
    shareArenas();
  }
  if (!statesUsed)
    return;
  statesUsed = false;
  // Here and now: ranks of other processes have not been told yet.
  for (int rank : team->ranks())
    zeroStates(rank);
}

void Session::Impl::call(int entry) {
  Entry &target = entries.at(size_t(entry));
  reportsAreOld = statesUsed = true;
  const auto begin = Clock::now();
  std::vector<std::array<int64_t, TPRT_STATUS_WORDS>> told(size_t(program.numRanks()));
  std::vector<char> isDone(size_t(program.numRanks())); // whether results are what they are to be
  team->run([&](tprt_context &ctx) -> tprt_status_t {
    if (options.poison)
      poisonMemory(ctx, entry);
    const ProfiledRange range(ctx.profiler, [&] { return manifest.entries[size_t(entry)].name; });
    const int64_t began = ctx.recorder ? ctx.recorder->now() : 0;
    for (const Passed &value : target.passed) {
      const EntryInfo &source = manifest.entries.at(size_t(value.from));
      ctx.device->copy(
          /*stream=*/0,
          entries[size_t(value.from)]
              .pointers[size_t(ctx.rank)][source.arguments.size() + size_t(value.result)],
          target.pointers[size_t(ctx.rank)][size_t(value.argument)],
          source.results[size_t(value.result)].localBytes());
    }
    const tprt_status_t status = ctx.device->run(
        ctx, entry, [&] { return target.function(&ctx, target.pointers[ctx.rank].data()); });
    auto &words = told[size_t(ctx.rank)];
    if (status == TPRT_OK)
      ctx.device->synchronize(words.data());
    isDone[size_t(ctx.rank)] = status == TPRT_OK && words[0] == 0;
    if (ctx.recorder)
      ctx.recorder->endEntry(entry, began);
    return status;
  });
  target.passed.clear();
  // When all are done, so that the lowest rank that has one is named: what kernels have
  // checked fails as a check on the host does.
  for (int rank : team->ranks())
    if (const auto &words = told[size_t(rank)]; words[0])
      tprt_check_index(&team->context(rank), int32_t(words[1]), words[2], words[3], words[4]);
  // Also where another process has found something: the lowest rank that has is named.
  if (options.checkFinite && std::find(isDone.begin(), isDone.end(), true) != isDone.end())
    team->run([&](tprt_context &ctx) {
      return isDone[size_t(ctx.rank)] ? checkFinite(ctx, entry) : TPRT_OK;
    });
  const Failure failure = program.firstFailure();
  if (failure.status != TPRT_OK)
    throw failure.error();
  if (!recorders.empty()) {
    ++calls[size_t(entry)];
    callSeconds[size_t(entry)] += secondsSince(begin);
  }
}

//===----------------------------------------------------------------------===//
// Session
//===----------------------------------------------------------------------===//

Session::Session(const tprt_module_t &module, const SessionOptions &options)
    : impl(std::make_unique<Impl>(module, options)) {}

Session::~Session() = default;

const Manifest &Session::manifest() const { return impl->manifest; }

int tprt::defaultWorkers(int numRanks) {
  return std::max(1, int(std::thread::hardware_concurrency()) / numRanks);
}

int Session::numRanks() const { return impl->program.numRanks(); }

double Session::loadSeconds() const { return impl->loadSeconds; }

int Session::findArgument(int entry, const std::string &key) const {
  const EntryInfo &info = impl->manifest.entries.at(size_t(entry));
  std::vector<std::string> names;
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    if (info.arguments[i].name == key)
      return int(i);
    names.push_back(info.arguments[i].name);
  }
  if (!key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos &&
      std::stoul(key) < info.arguments.size())
    return std::stoi(key);
  throw badInput("entry '" + info.name + "' has no argument '" + key + "' (it has " +
                     std::to_string(info.arguments.size()) + ")",
                 nearNotes(key, names));
}

void Session::setInput(int entry, int argument, const Array &value, const std::string &what) {
  const EntryInfo &info = impl->manifest.entries.at(size_t(entry));
  const ValueInfo &target = info.arguments.at(size_t(argument));
  const std::string where =
      what.empty() ? "argument '" + target.name + "' of '" + info.name + "'" : what;
  if (target.kind != ValueKind::Input)
    throw badInput(where + ": argument '" + target.name + "' of '" + info.name + "' is a " +
                   kindName(target.kind) + ", not an input");
  impl->scatter(value, where, entry, argument);
}

void Session::passResult(int from, int result, int entry, int argument) {
  const ValueInfo &source = impl->manifest.entries.at(size_t(from)).results.at(size_t(result));
  const ValueInfo &target = impl->manifest.entries.at(size_t(entry)).arguments.at(size_t(argument));
  const bool isAlike = source.state < 0 && source.dtype == target.dtype &&
                       source.localShape == target.localShape && source.blocks == target.blocks &&
                       source.partial.empty() && target.partial.empty();
  if (isAlike)
    impl->pass(from, result, entry, argument);
  else
    setInput(entry, argument, this->result(from, result));
}

const ValueInfo &Session::findStored(const std::string &name) const {
  const auto [entry, argument] = impl->findStored(name);
  return impl->manifest.entries[size_t(entry)].arguments[size_t(argument)];
}

Array Session::stored(const std::string &name) const {
  const auto [entry, argument] = impl->findStored(name);
  return impl->gather(entry, findStored(name), size_t(argument), "'" + name + "'");
}

void Session::setStored(const std::string &name, const Array &value) {
  const auto [entry, argument] = impl->findStored(name);
  const ValueKind kind = findStored(name).kind;
  impl->scatter(value, kindName(kind) + (" '" + name + "'"), entry, argument);
  impl->statesUsed |= kind == ValueKind::State;
}

bool Session::failed() const { return impl->program.aborted(); }

void Session::resetStates() {
  impl->commandAll(Impl::Command::ResetStates, 0);
  impl->resetStates();
}

void Session::call(int entry) {
  if (impl->program.aborted())
    throw runFailure("a call after a failed one");
  impl->commandAll(Impl::Command::Call, entry);
  impl->sendCommands();
  impl->call(entry);
}

Array Session::result(int entry, int index) const {
  const EntryInfo &info = impl->manifest.entries.at(size_t(entry));
  const ValueInfo &value = info.results.at(size_t(index));
  const std::string what = "result " + std::to_string(index) + " of '" + info.name + "'";
  if (value.state >= 0) // lies in the argument's buffer
    return impl->gather(entry, info.arguments[value.state], size_t(value.state), what);
  return impl->gather(entry, value, info.arguments.size() + size_t(index), what);
}

Array Session::argument(int entry, int index) const {
  const EntryInfo &info = impl->manifest.entries.at(size_t(entry));
  const ValueInfo &value = info.arguments.at(size_t(index));
  return impl->gather(entry, value, size_t(index), "'" + value.name + "' of '" + info.name + "'");
}
