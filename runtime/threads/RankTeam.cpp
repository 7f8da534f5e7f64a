//===- RankTeam.cpp - ranks as threads of this process --------------------===//

#include "RankTeam.h"

using namespace tprt;

namespace {
constexpr int kSleepMilliseconds = 200;
}

RankTeam::RankTeam(Program &program) : RankTeam(program, std::make_unique<ThreadFabric>(program)) {}

RankTeam::RankTeam(Program &program, std::unique_ptr<Fabric> fabric)
    : program(program), fabric(std::move(fabric)), spin(program.spinNanoseconds()) {
  for (int rank = 0; rank < program.numRanks(); ++rank) {
    numbers.push_back(rank);
    contexts.push_back(std::make_unique<tprt_context>(program, rank));
    contexts.back()->device = &this->fabric->device(rank);
  }
  for (int rank = 1; rank < program.numRanks(); ++rank)
    threads.emplace_back([this, rank] { serve(rank); });
  try {
    join();
  } catch (...) {
    endThreads();
    throw;
  }
}

RankTeam::~RankTeam() {
  leave();
  endThreads();
}

void RankTeam::endThreads() {
  stopping.store(true);
  begun.set(begun.get() + 1);
  for (std::thread &thread : threads)
    thread.join();
}

void RankTeam::join() {
  run([&](tprt_context &ctx) -> tprt_status_t {
    ctx.communicator = fabric->join(ctx.rank);
    return TPRT_OK;
  });
  if (const Failure failure = program.firstFailure(); failure.status != TPRT_OK)
    throw failure.error();
}

void RankTeam::leave() {
  run([](tprt_context &ctx) -> tprt_status_t {
    ctx.communicator.reset();
    return TPRT_OK;
  });
}

void RankTeam::restart() {
  std::vector<Recorder *> recorders;
  for (const auto &ctx : contexts)
    recorders.push_back(ctx->communicator->recorder);
  leave();
  program.clearFailures();
  fabric->restart();
  join();
  for (int rank = 0; rank < program.numRanks(); ++rank) {
    contexts[rank]->communicator->recorder = recorders[rank];
    contexts[rank]->sequence = 0;
  }
}

void RankTeam::serve(int rank) {
  uint32_t seen = 0;
  SpinBudget budget(program.spinNanoseconds());
  for (;;) {
    budget.wait([&] { return begun.get() != seen; },
                [&] {
                  begun.sleep(seen, kSleepMilliseconds);
                  return true;
                });
    seen = begun.get();
    if (stopping.load())
      return;
    runRank(program, *contexts[rank], *body);
    if (running.fetch_sub(1, std::memory_order_acq_rel) == 1)
      finished.set(seen);
  }
}

void RankTeam::run(const RankBody &function) {
  body = &function;
  for (int rank = 0; rank < program.numRanks(); ++rank)
    program.setInside(rank, true);
  running.store(int(threads.size()), std::memory_order_relaxed);
  uint32_t number = begun.get() + 1;
  begun.set(number);
  runRank(program, *contexts[0], *body);
  if (!threads.empty())
    spin.wait([&] { return finished.get() == number; },
              [&] {
                finished.sleep(number - 1, kSleepMilliseconds);
                return true;
              });
  body = nullptr;
}
