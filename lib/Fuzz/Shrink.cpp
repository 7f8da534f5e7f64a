//===- Shrink.cpp - Fewer and simpler choices ------------------------------===//

#include "tp/Fuzz/Shrink.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;

namespace {
/// The smallest tape up to now, with the program of it.
class TapeShrinker {
public:
  TapeShrinker(Choices::Tape tape, std::vector<Choices::Span> spans, StillFails stillFails)
      : tape(std::move(tape)), spans(std::move(spans)), stillFails(stillFails) {
    trim(this->tape);
    Choices choices(this->tape);
    program = makeRandomProgram(choices);
  }

  RandomProgram run() {
    bool changed = true;
    while (changed) {
      changed = dropSpans();
      changed |= dropTail();
      changed |= lowerChoices();
    }
    return program;
  }

private:
  Choices::Tape tape;
  std::vector<Choices::Span> spans;
  StillFails stillFails;
  RandomProgram program;

  /// Takes a tape if it is smaller (shorter, or as long and of smaller choices) and
  /// its program still fails.
  bool attempt(Choices::Tape candidate) {
    Choices choices(std::move(candidate));
    RandomProgram made = makeRandomProgram(choices);
    Choices::Tape smaller = choices.getTape();
    trim(smaller);
    if (std::make_pair(smaller.size(), smaller) >= std::make_pair(tape.size(), tape))
      return false;
    bool isSame = made.text == program.text && made.plan.toJson() == program.plan.toJson();
    if (!isSame && !stillFails(made))
      return false;
    program = std::move(made);
    tape = std::move(smaller);
    spans = choices.getSpans().vec();
    return true;
  }

  /// What is 0 behind the end need not be said.
  static void trim(Choices::Tape &tape) {
    while (!tape.empty() && tape.back() == 0)
      tape.pop_back();
  }

  bool without(size_t begin, size_t end) {
    if (begin >= tape.size() || begin == end)
      return false;
    Choices::Tape candidate(tape.begin(), tape.begin() + begin);
    if (end < tape.size())
      candidate.insert(candidate.end(), tape.begin() + end, tape.end());
    return attempt(std::move(candidate));
  }

  /// Ops, the last first.
  bool dropSpans() {
    bool changed = false;
    for (size_t i = spans.size(); i-- > 0;)
      if (i < spans.size())
        changed |= without(spans[i].first, spans[i].second);
    return changed;
  }

  bool dropTail() {
    bool changed = false;
    for (size_t size = tape.size() / 2; size > 0; size /= 2)
      while (size < tape.size() && without(tape.size() - size, tape.size()))
        changed = true;
    return changed;
  }

  bool lowerChoices() {
    bool changed = false;
    for (size_t i = 0; i < tape.size(); ++i) {
      for (uint32_t lower : {uint32_t(0), tape[i] / 2, tape[i] - 1}) {
        if (i >= tape.size() || tape[i] == 0 || lower >= tape[i])
          break;
        Choices::Tape candidate = tape;
        candidate[i] = lower;
        if (attempt(std::move(candidate))) {
          changed = true;
          break;
        }
      }
    }
    return changed;
  }
};
} // namespace

RandomProgram fuzz::shrink(Choices::Tape tape, std::vector<Choices::Span> spans,
                           StillFails stillFails) {
  return reduceModule(TapeShrinker(std::move(tape), std::move(spans), stillFails).run(),
                      stillFails);
}
