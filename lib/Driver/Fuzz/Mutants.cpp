//===- Mutants.cpp - Changed programs and plans that must not crash -------===//

#include "Mutants.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "tp/Driver/Program.h"
#include "tp/Fuzz/Mutate.h"
#include "tp/Plan/Plan.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <sys/resource.h>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::fuzz;
using llvm::Error;
using llvm::Expected;

/// Larger files take too long.
static constexpr size_t kLargestFile = 20000;
static constexpr rlim_t kMostMemory = rlim_t(8) << 30;

static Error addFile(Corpus &corpus, const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return userError("cannot read " + path + ": " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (StringRef(path).ends_with(".json")) {
    if (text.contains("\"shard\"") && text.size() < kLargestFile)
      corpus.plans.push_back(text.str());
    return Error::success();
  }
  SmallVector<StringRef> modules;
  text.split(modules, "// -----");
  for (StringRef module : modules)
    if (module.size() < kLargestFile && !module.trim().empty())
      corpus.programs.push_back(module.str());
  return Error::success();
}

Expected<Corpus> Corpus::load(const std::vector<std::string> &paths) {
  namespace fs = llvm::sys::fs;
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    if (!fs::exists(path))
      return userError("--corpus " + path + ": there is no such file or directory");
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::error_code error;
    for (fs::recursive_directory_iterator it(path, error), end; it != end && !error;
         it.increment(error)) {
      StringRef extension = llvm::sys::path::extension(it->path());
      if (extension == ".mlir" || extension == ".json")
        files.push_back(it->path());
    }
    if (error)
      return userError("--corpus " + path + ": " + error.message());
  }
  // The order of a directory is no one's.
  llvm::sort(files);
  Corpus corpus;
  for (const std::string &file : files)
    if (Error error = addFile(corpus, file))
      return error;
  if (corpus.programs.empty())
    return userError("--corpus has no .mlir file");
  return corpus;
}

Mutant fuzz::makeMutant(const Corpus &corpus, uint64_t seed) {
  Choices choices(seed);
  auto any = [&](const std::vector<std::string> &texts) -> const std::string & {
    return texts[choices.pick(0, texts.size() - 1)];
  };
  Mutant mutant;
  std::string plan;
  if (choices.oneIn(2)) {
    mutant.program = any(corpus.programs);
    if (!corpus.plans.empty() && choices.oneIn(4))
      plan = any(corpus.plans);
  } else {
    RandomProgram random = makeRandomProgram(choices);
    mutant.program = random.text;
    plan = random.plan.toJson();
  }
  // A plan is looked at where the program is right.
  if (!plan.empty() && choices.oneIn(2))
    mutant.plan = mutateText(choices, plan, corpus.plans.empty() ? plan : any(corpus.plans));
  else {
    mutant.program = mutateText(choices, mutant.program, any(corpus.programs));
    mutant.plan = plan;
  }
  return mutant;
}

/// A number in a text can stand for more memory than the machine has.
static void limitMemory() {
  // Sanitizers reserve more.
  if (LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD)
    return;
  rlimit limit = {kMostMemory, kMostMemory};
  setrlimit(RLIMIT_AS, &limit);
}

/// One op after the other, so that it is known in which a verifier crashes.
static LogicalResult verifyOps(ModuleOp module, Announce announce) {
  WalkResult result = module->walk([&](Operation *op) {
    announce(("verifying " + op->getName().getStringRef()).str());
    return WalkResult(verify(op, /*verifyRecursively=*/false));
  });
  announce("verifying the module");
  return failure(result.wasInterrupted() || failed(verify(module)));
}

bool fuzz::isUnderUpstream(const Outcome &outcome) {
  StringRef message = outcome.message;
  if (!message.consume_front("crash while ") && !message.consume_front("no end while "))
    return false;
  if (message.starts_with("parsing"))
    return true;
  static constexpr StringRef ours[] = {"tp.", "comm.", "nn.", "rt.", "the module"};
  return message.consume_front("verifying ") &&
         llvm::none_of(ours, [&](StringRef name) { return message.starts_with(name); });
}

Outcome fuzz::runMutant(MLIRContext &context, const Mutant &mutant, Announce announce) {
  limitMemory();
  std::string logText;
  llvm::raw_string_ostream log(logText);
  ToolDiagnostics diagnostics(&context, /*strict=*/false, log);
  PhaseRunner phases(diagnostics, PhaseOptions());
  Outcome outcome;
  auto rejected = [&](StringRef by) {
    outcome.kind = Outcome::Kind::Refused;
    outcome.message = ("rejected while " + by).str();
    return outcome;
  };
  announce("parsing");
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      mutant.program, ParserConfig(&context, /*verifyAfterParse=*/false), "program.mlir");
  if (!module) {
    // Upstream's parser uses ops that it has freed where a body does not parse.
    outcome.spoilsProcess = true;
    return rejected("parsing");
  }
  if (failed(verifyOps(*module, announce)))
    return rejected("verifying");
  if (!mutant.plan.empty()) {
    announce("applying the plan");
    FailureOr<Plan> plan = parsePlan(mutant.plan, "plan.json", &context);
    if (failed(plan) || failed(applyPlan(*module, *plan)))
      return rejected("applying the plan");
  }
  for (auto [phase, name] :
       {std::pair(Phase::Plan, "planning"), std::pair(Phase::Reshard, "inserting reshards"),
        std::pair(Phase::Partition, "partitioning"),
        std::pair(Phase::Comm, "optimising communication"), std::pair(Phase::RT, "lowering to rt"),
        std::pair(Phase::LLVM, "lowering to llvm")}) {
    announce(name);
    if (Error error = phases.run(*module, phase)) {
      llvm::consumeError(std::move(error));
      if (!diagnostics.hasError()) {
        outcome.kind = Outcome::Kind::Failed;
        outcome.message = (Twine("no error while ") + name).str();
        return outcome;
      }
      return rejected(name);
    }
  }
  return outcome;
}
