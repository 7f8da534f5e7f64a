//===- Team.cpp - the ranks of this process -------------------------------===//

#include "Team.h"

#include "Faults.h"

using namespace tprt;

void tprt::runRank(Program &program, tprt_context &ctx, const RankBody &body) {
  currentPlace = &ctx.place;
  tprt_status_t status;
  std::string reason;
  std::vector<std::string> notes;
  try {
    ctx.device->enter();
    status = body(ctx);
    reason = std::string("it returned status ") + std::to_string(status) + " (" +
             tprt_status_string(status) + ")";
  } catch (const Error &error) {
    status = error.status();
    reason = error.what();
    notes = error.notes();
  } catch (const std::exception &exception) {
    status = TPRT_INTERNAL;
    reason = exception.what();
  } catch (...) {
    status = TPRT_INTERNAL;
    reason = "unknown exception";
  }
  // A failure that a call has recorded before keeps its better message.
  if (status != TPRT_OK && status != TPRT_ABORTED)
    program.fail(ctx.rank, status, -1, reason, notes);
  currentPlace = nullptr;
  program.setInside(ctx.rank, false);
}
