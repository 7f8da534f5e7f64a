//===- Program.cpp - what the ranks of a running program share ------------===//

#include "Program.h"

#include <sched.h>

using namespace tprt;

namespace {
/// Processors that this process may run on.
int availableProcessors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set))
    return 1;
  return CPU_COUNT(&set);
}

constexpr int64_t kSpinNanoseconds = 50000;
constexpr int64_t kOversubscribedSpinNanoseconds = 1000;
} // namespace

Program::Program(std::vector<MeshAxis> mesh, const std::vector<std::vector<AxisPart>> &groups,
                 std::vector<Operation> operations, ProgramOptions options)
    : meshAxes(std::move(mesh)), operations(std::move(operations)), programOptions(options) {
  for (const std::vector<AxisPart> &parts : groups)
    groupPartitions.push_back(partitionRanks(meshAxes, parts));
  int64_t ranks = 1;
  for (const MeshAxis &axis : meshAxes)
    ranks *= axis.size;
  failures.resize(size_t(ranks));
  inside.reset(new Flag[size_t(ranks)]);
  const int64_t sharing = options.sharing ? options.sharing : ranks;
  spin = sharing * options.workers > availableProcessors() ? kOversubscribedSpinNanoseconds
                                                           : kSpinNanoseconds;
}

std::string Program::describeOperation(int32_t op) const {
  if (op < 0 || size_t(op) >= operations.size())
    return "operation " + std::to_string(op);
  const Operation &operation = operations[op];
  return operation.loc.empty() ? operation.name : operation.name + " at " + operation.loc;
}

const char *Program::placeOf(int32_t op) const {
  if (op < 0 || size_t(op) >= operations.size() || operations[op].loc.empty())
    return nullptr;
  return operations[op].loc.c_str();
}

std::string Program::reasonOf(int32_t op) const {
  return op < 0 || size_t(op) >= operations.size() ? "" : operations[op].reason;
}

tprt_status_t Program::fail(int rank, tprt_status_t status, int32_t op, const std::string &reason,
                            const std::vector<std::string> &notes) {
  const Failure failure{status,
                        "rank " + std::to_string(rank) + " failed" +
                            (op >= 0 ? " in " + describeOperation(op) : "") + ": " + reason,
                        notes};
  if (record(rank, failure) && onFailure)
    onFailure(rank, failure);
  return status;
}

void Program::failElsewhere(int rank, const Failure &failure) { record(rank, failure); }

bool Program::record(int rank, const Failure &failure) {
  std::lock_guard<std::mutex> lock(mutex);
  const bool first = failures[rank].status == TPRT_OK;
  if (first)
    failures[rank] = failure;
  abortFlag.store(true, std::memory_order_release);
  return first;
}

Failure Program::firstFailure() const {
  std::lock_guard<std::mutex> lock(mutex);
  for (const Failure &failure : failures)
    if (failure.status != TPRT_OK)
      return failure;
  return {};
}

void Program::clearFailures() {
  std::lock_guard<std::mutex> lock(mutex);
  failures.assign(failures.size(), Failure());
  abortFlag.store(false, std::memory_order_release);
}
