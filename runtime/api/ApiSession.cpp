//===- ApiSession.cpp - what is behind the handles of api.h ---------------===//

#include "ApiSession.h"

#include "../core/CountText.h"
#include "../core/DType.h"
#include "../core/NearNames.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace tprt;

namespace {

/// Names a list of "'a', 'b'" in a note.
std::string quotedList(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

/// Checks shape and data of an array for `target`; returns its bytes.
size_t requireArray(const tprt_array_t &value, const ValueInfo &target, const std::string &what) {
  if (!isDType(value.dtype))
    throw badInput(what + ": dtype " + std::to_string(value.dtype) + " does not exist");
  // How many sizes there are to read is the caller's word.
  const int64_t rank = int64_t(target.globalShape.size());
  if (value.rank != rank)
    throw badInput(what + ": expected shape " + shapeText(target.globalShape) + " of rank " +
                   std::to_string(rank) + ", found rank " + std::to_string(value.rank));
  if (rank > 0 && !value.shape)
    throw badInput(what + ": the array has no shape");
  const std::vector<int64_t> shape(value.shape, value.shape + rank);
  if (shape != target.globalShape)
    throw badInput(what + ": expected shape " + shapeText(target.globalShape) + ", found " +
                   shapeText(shape));
  const size_t bytes = size_t(elementCount(shape) * tprt_dtype_size(value.dtype));
  if (bytes && !value.data)
    throw badInput(what + ": the array has no data");
  return bytes;
}

Array readArray(const tprt_array_t &value, const ValueInfo &target, const std::string &what) {
  const size_t bytes = requireArray(value, target, what);
  // Bytes of the caller become bits only when they are some.
  Array array(value.dtype == TPRT_I1 ? int32_t(TPRT_I8) : value.dtype, target.globalShape);
  if (bytes)
    std::memcpy(array.data.data(), value.data, bytes);
  return value.dtype == TPRT_I1 ? convertArray(array, TPRT_I1, what) : array;
}

/// The type as which a value travels where the caller's language lacks its own.
int32_t wideType(int32_t dtype) {
  switch (dtype) {
  case TPRT_BF16:
  case TPRT_F16:
    return TPRT_F32;
  case TPRT_INDEX:
    return TPRT_I64;
  case TPRT_I1:
    return TPRT_I8;
  default:
    return dtype;
  }
}

void writeArray(const Array &array, const tprt_array_t &value, const ValueInfo &target,
                const std::string &what) {
  const size_t bytes = requireArray(value, target, what);
  const int32_t wide = wideType(array.dtype);
  if (value.dtype != array.dtype && value.dtype != wide)
    throw badInput(what + ": a value of type " + tprt_dtype_name(array.dtype) +
                   " cannot be written as " + tprt_dtype_name(value.dtype) +
                   (wide == array.dtype ? "" : std::string(", but as ") + tprt_dtype_name(wide)));
  const Array converted = convertArray(array, value.dtype, what);
  if (bytes)
    std::memcpy(value.data, converted.data.data(), bytes);
}

void requireFlag(int32_t value, const char *name) {
  if (value != 0 && value != 1)
    throw badInput(std::string(name) + " must be 0 or 1, found " + std::to_string(value));
}

SessionOptions sessionOptions(const tprt_session_options_t &options) {
  if (options.size < sizeof(tprt_session_options_t))
    throw badInput("the session's options have size " + std::to_string(options.size) +
                   ", expected " + std::to_string(sizeof(tprt_session_options_t)) +
                   ": begin with TPRT_SESSION_OPTIONS_INIT");
  if (options.threads < 0 || options.threads > 1024)
    throw badInput("threads must be at least 1 and at most 1024, or 0 for as many as the "
                   "processors allow, found " +
                   std::to_string(options.threads));
  if (!(options.timeout_seconds >= 0))
    throw badInput("timeout_seconds must not be negative, found " +
                   std::to_string(options.timeout_seconds));
  requireFlag(options.random, "random");
  requireFlag(options.stats, "stats");
  requireFlag(options.check_collectives, "check_collectives");
  requireFlag(options.check_finite, "check_finite");
  requireFlag(options.poison, "poison");
  if (options.weights && options.random)
    throw badInput("weights and random parameters exclude each other");
  SessionOptions result;
  if (options.weights)
    result.weights = options.weights;
  result.zeroParameters = !options.random;
  result.randomSeed = options.seed;
  result.workers = options.threads ? options.threads : defaultWorkers(moduleManifest().numRanks());
  result.stats = options.stats;
  result.checkCollectives = options.check_collectives;
  result.checkFinite = options.check_finite;
  result.poison = options.poison;
  result.timeoutSeconds = options.timeout_seconds;
  return result;
}

std::string argumentText(const EntryInfo &entry, const ValueInfo &argument) {
  return "argument '" + argument.name + "' of '" + entry.name + "'";
}

} // namespace

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

const Manifest &tprt::moduleManifest() {
  static const Manifest manifest = parseManifest(tprt_module.manifest);
  return manifest;
}

void tprt::requireIndex(int32_t index, size_t count, const std::string &what) {
  if (index < 0 || size_t(index) >= count)
    throw badInput(what + std::to_string(index) + " (it has " + std::to_string(count) + ")");
}

const EntryInfo &tprt::requireEntry(int32_t entry) {
  requireIndex(entry, moduleManifest().entries.size(), "the module has no entry ");
  return moduleManifest().entries[size_t(entry)];
}

const ValueInfo &tprt::requireArgument(int32_t entry, int32_t argument) {
  const EntryInfo &info = requireEntry(entry);
  requireIndex(argument, info.arguments.size(), "entry '" + info.name + "' has no argument ");
  return info.arguments[size_t(argument)];
}

const ValueInfo &tprt::requireResult(int32_t entry, int32_t result) {
  const EntryInfo &info = requireEntry(entry);
  requireIndex(result, info.results.size(), "entry '" + info.name + "' has no result ");
  return info.results[size_t(result)];
}

const LanguageModelInfo &tprt::requireLanguageModel() {
  if (!moduleManifest().languageModel)
    throw badInput("the module is no language model", {"call its entries"});
  return *moduleManifest().languageModel;
}

int32_t tprt::findEntry(const std::string &name) {
  const int entry = moduleManifest().findEntry(name);
  if (entry >= 0)
    return entry;
  std::vector<std::string> names;
  for (const EntryInfo &info : moduleManifest().entries)
    names.push_back(info.name);
  throw badInput("the module has no entry '" + name + "'", {"entries: " + quotedList(names)});
}

int32_t tprt::findArgument(int32_t entry, const std::string &name) {
  const EntryInfo &info = requireEntry(entry);
  std::vector<std::string> names;
  for (const ValueInfo &argument : info.arguments) {
    if (argument.name == name)
      return int32_t(names.size());
    names.push_back(argument.name);
  }
  std::vector<std::string> inputs, notes = nearNotes(name, names);
  for (const ValueInfo &argument : info.arguments)
    if (argument.kind == ValueKind::Input)
      inputs.push_back(argument.name);
  notes.push_back("inputs: " + quotedList(inputs));
  throw badInput("entry '" + info.name + "' has no argument '" + name + "'", notes);
}

tprt_value_info_t tprt::describe(const ValueInfo &value) {
  const int32_t kind = value.kind == ValueKind::Parameter ? TPRT_PARAMETER
                       : value.kind == ValueKind::State   ? TPRT_STATE
                       : value.kind == ValueKind::Input   ? TPRT_INPUT
                                                          : TPRT_RESULT;
  return {value.name.c_str(),
          kind,
          value.dtype,
          value.state,
          int32_t(value.globalShape.size()),
          value.globalShape.data(),
          value.sharding.c_str()};
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

tprt_session::tprt_session(const tprt_session_options_t &options)
    : session(tprt_module, sessionOptions(options)), owner(getpid()), hasStats(options.stats),
      called(moduleManifest().entries.size(), false) {
  for (const EntryInfo &entry : moduleManifest().entries) {
    given.emplace_back(entry.arguments.size(), false);
    for (const ValueInfo &argument : entry.arguments)
      if (argument.kind == ValueKind::Parameter && !options.weights && !options.random)
        unset.insert(argument.name);
  }
}

void tprt_session::requireOwner() const {
  if (getpid() != owner)
    throw badInput("the session was opened by another process, of which this one is a fork",
                   {"open a session in the process that uses it"});
}

void tprt_session::requireWorking() const {
  if (session.failed())
    throw runFailure("a call of the session has failed, its states are undefined",
                     {"reset the states to use the session again"});
}

void tprt_session::requireParameters(const EntryInfo &entry) const {
  for (const ValueInfo &argument : entry.arguments)
    if (argument.kind == ValueKind::Parameter && unset.count(argument.name))
      throw badInput("parameter '" + argument.name + "' of '" + entry.name + "' has no value",
                     {"open the session with the directory of the checkpoint as weights, or set "
                      "the parameter"});
}

void tprt_session::setInput(int32_t entry, int32_t argument, const tprt_array_t &value) {
  const ValueInfo &target = requireArgument(entry, argument);
  const std::string what = argumentText(requireEntry(entry), target);
  if (target.kind != ValueKind::Input)
    throw badInput(what + " is a " + (target.kind == ValueKind::State ? "state" : "parameter") +
                       ", not an input",
                   {"set its value by its name"});
  session.setInput(entry, argument, readArray(value, target, what), what);
  given[size_t(entry)][size_t(argument)] = true;
}

void tprt_session::call(int32_t entry) {
  const EntryInfo &info = requireEntry(entry);
  requireWorking();
  requireParameters(info);
  for (size_t i = 0; i < info.arguments.size(); ++i)
    if (info.arguments[i].kind == ValueKind::Input && !given[size_t(entry)][i])
      throw badInput("input '" + info.arguments[i].name + "' of entry '" + info.name +
                     "' is not given");
  called[size_t(entry)] = false;
  session.call(entry);
  called[size_t(entry)] = true;
}

void tprt_session::getResult(int32_t entry, int32_t result, const tprt_array_t &value) const {
  const ValueInfo &target = requireResult(entry, result);
  const EntryInfo &info = requireEntry(entry);
  const std::string what = "result " + std::to_string(result) + " of '" + info.name + "'";
  if (!called[size_t(entry)])
    throw badInput(what + " has no value: the entry was not called, or its last call failed");
  requireArray(value, target, what);
  writeArray(session.result(entry, result), value, target, what);
}

void tprt_session::setValue(const std::string &name, const tprt_array_t &value) {
  const ValueInfo &target = session.findStored(name);
  session.setStored(name, readArray(value, target, "'" + name + "'"));
  unset.erase(name);
}

void tprt_session::getValue(const std::string &name, const tprt_array_t &value) const {
  const ValueInfo &target = session.findStored(name);
  if (unset.count(name))
    throw badInput("parameter '" + name + "' has no value");
  if (target.kind == ValueKind::State)
    requireWorking();
  requireArray(value, target, "'" + name + "'");
  writeArray(session.stored(name), value, target, "'" + name + "'");
}

void tprt_session::generate(const tprt_generate_options_t &options, int32_t numRows,
                            const int64_t *lengths, const int64_t *tokens, int64_t *outTokens,
                            int64_t *outCounts) {
  const LanguageModelInfo &info = requireLanguageModel();
  if (options.size < sizeof(tprt_generate_options_t))
    throw badInput("the options of generating have size " + std::to_string(options.size) +
                   ", expected " + std::to_string(sizeof(tprt_generate_options_t)) +
                   ": begin with TPRT_GENERATE_OPTIONS_INIT");
  if (options.count < 0)
    throw badInput("count must not be negative, found " + std::to_string(options.count));
  if (numRows < 0 || numRows > info.batch)
    throw badInput("the program was compiled for " + countText(info.batch, "row") +
                   " of tokens, found " + std::to_string(numRows));
  std::vector<std::vector<int64_t>> prompts;
  for (int32_t row = 0; row < numRows; ++row) {
    const std::string where = numRows > 1 ? "row " + std::to_string(row) + ": " : "";
    if (lengths[row] < 0)
      throw badInput(where + "the prompt's length must not be negative, found " +
                     std::to_string(lengths[row]));
    LanguageModel::checkLength(info, lengths[row], options.count, where);
    prompts.emplace_back(tokens, tokens + lengths[row]);
    tokens += lengths[row];
  }
  LanguageModel::checkPrompts(info, prompts, options.count);
  GenerateOptions how;
  how.count = options.count;
  how.logits = options.logits;
  how.sampling = {options.temperature, options.top_k, options.top_p, options.seed};
  how.sampling.check("", '_');
  requireParameters(requireEntry(info.prefill));
  requireParameters(requireEntry(info.decode));

  std::fill_n(outCounts, numRows, 0);
  how.onToken = [&](int row, int64_t token) {
    outTokens[row * options.count + outCounts[row]++] = token;
    if (options.on_token && options.on_token(options.user, row, token))
      throw Stopped();
  };
  if (!model)
    model = std::make_unique<LanguageModel>(session);
  called[size_t(info.prefill)] = called[size_t(info.decode)] = false;
  const Generation generation = model->generate(prompts, how);
  if (!options.logits)
    return;
  const int64_t rowElements = options.count * info.vocab;
  const int64_t steps = rowElements ? generation.logits.count() / (info.vocab * numRows) : 0;
  std::fill_n(options.logits, numRows * rowElements, 0.0f);
  for (int32_t row = 0; row < numRows; ++row)
    std::copy_n(generation.logits.as<float>() + row * steps * info.vocab,
                outCounts[row] * info.vocab, options.logits + row * rowElements);
}

tprt_activity_t tprt_session::activity(int32_t entry, int32_t rank) const {
  requireEntry(entry);
  requireIndex(rank, size_t(session.numRanks()), "the mesh has no rank ");
  if (!hasStats)
    throw badInput("the session measures nothing", {"open it with stats"});
  const EntryActivity all = session.activity(entry);
  const RankActivity &mine = all.ranks[size_t(rank)];
  int64_t tokens = 0;
  if (model) {
    const auto found = model->tokenCounts().find(entry);
    tokens = found == model->tokenCounts().end() ? 0 : found->second;
  }
  return {all.calls,        tokens,           all.seconds,      mine.seconds,
          mine.waitSeconds, mine.copySeconds, mine.collectives, mine.bytesSent};
}
