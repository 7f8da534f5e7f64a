//===- Totals.cpp - What was run, over several runs ------------------------===//

#include "Totals.h"

#include "tp/Support/OutputFile.h"
#include "tp/Support/ToolError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using Counts = std::map<std::string, uint64_t>;

void Totals::add(const Outcome &outcome) {
  ++programs;
  for (const auto &[name, count] : outcome.ops)
    ops[name] += count;
  switch (outcome.kind) {
  case Outcome::Kind::Passed:
    ++passed;
    break;
  case Outcome::Kind::Refused:
    ++refusals[outcome.classOfMessage()];
    break;
  case Outcome::Kind::Failed:
    ++failed;
    ++failures[outcome.classOfMessage()];
    break;
  }
  if (!outcome.unproved.empty()) {
    ++unproved;
    ++unprovedAt[outcome.unproved];
  }
}

uint64_t Totals::numRefused() const {
  uint64_t sum = 0;
  for (const auto &[message, count] : refusals)
    sum += count;
  return sum;
}

/// The counts, the largest first.
static void printCounts(llvm::raw_ostream &os, StringRef title, const Counts &counts) {
  if (counts.empty())
    return;
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  os << title << ":\n";
  for (const auto &[text, count] : sorted)
    os << llvm::format("%9llu  ", static_cast<unsigned long long>(count)) << text << '\n';
}

void Totals::print(llvm::raw_ostream &os, StringRef mode) const {
  printCounts(os, "ops", ops);
  printCounts(os, "refused", refusals);
  printCounts(os, "not proved at", unprovedAt);
  printCounts(os, "failures", failures);
  os << mode << ": " << programs << " programs, " << passed << " passed, " << numRefused()
     << " refused, " << unproved << " not proved, " << failed << " failed, " << ops.size()
     << " kinds of op, " << llvm::format("%.0f s, ", seconds)
     << llvm::format("%.0f programs/s; next seed ", programs / std::max(seconds, 1e-3)) << next
     << '\n';
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

Error State::save(const std::string &file) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream os(stream, 1);
  auto writeCounts = [&](StringRef name, const Counts &counts) {
    os.attributeObject(name, [&] {
      for (const auto &[key, count] : counts)
        os.attribute(llvm::json::fixUTF8(key), count);
    });
  };
  os.object([&] {
    os.attribute("version", 1);
    os.attributeObject("modes", [&] {
      for (const auto &[mode, totals] : modes)
        os.attributeObject(mode, [&, &totals = totals] {
          os.attribute("next", totals.next);
          os.attribute("programs", totals.programs);
          os.attribute("passed", totals.passed);
          os.attribute("unproved", totals.unproved);
          os.attribute("failed", totals.failed);
          os.attribute("seconds", totals.seconds);
          writeCounts("refusals", totals.refusals);
          writeCounts("unproved_at", totals.unprovedAt);
          writeCounts("failures", totals.failures);
          writeCounts("ops", totals.ops);
        });
    });
  });
  return writeOutputFile(file, text + "\n");
}

Expected<State> State::load(const std::string &file) {
  State state;
  if (!llvm::sys::fs::exists(file))
    return state;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return userError("cannot read " + file + ": " + buffer.getError().message());
  Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return userError(file + ": " + llvm::toString(value.takeError()));
  const llvm::json::Object *root = value->getAsObject();
  const llvm::json::Object *modes = root ? root->getObject("modes") : nullptr;
  if (!modes || root->getInteger("version") != 1)
    return userError(file + " is not a state of version 1 of tp-fuzz");
  for (const auto &[mode, modeValue] : *modes) {
    const llvm::json::Object *object = modeValue.getAsObject();
    if (!object)
      return userError(file + " is not a state of tp-fuzz");
    Totals &totals = state.modes[StringRef(mode).str()];
    auto number = [&](StringRef name) { return object->getInteger(name).value_or(0); };
    auto readCounts = [&](StringRef name, Counts &counts) {
      if (const llvm::json::Object *entries = object->getObject(name))
        for (const auto &[key, count] : *entries)
          counts[StringRef(key).str()] = count.getAsInteger().value_or(0);
    };
    totals.next = number("next");
    totals.programs = number("programs");
    totals.passed = number("passed");
    totals.unproved = number("unproved");
    totals.failed = number("failed");
    totals.seconds = object->getNumber("seconds").value_or(0);
    readCounts("refusals", totals.refusals);
    readCounts("unproved_at", totals.unprovedAt);
    readCounts("failures", totals.failures);
    readCounts("ops", totals.ops);
  }
  return state;
}
