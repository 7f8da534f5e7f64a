//===- EntryInputs.cpp - arguments of entries by their contract -----------===//

#include "EntryInputs.h"

#include "DType.h"

using namespace tprt;

int tprt::findIntegerInput(const Session &session, int entryIndex, const std::string &name,
                           const std::vector<int64_t> &shape) {
  const EntryInfo &entry = session.manifest().entries[size_t(entryIndex)];
  for (size_t i = 0; i < entry.arguments.size(); ++i) {
    const ValueInfo &argument = entry.arguments[i];
    if (argument.name != name || argument.kind != ValueKind::Input)
      continue;
    if (argument.globalShape != shape || (argument.dtype != TPRT_I64 && argument.dtype != TPRT_I32))
      throw badInput("manifest: input '" + argument.name + "' of '" + entry.name +
                     "' must be i64 or i32 of shape " + shapeText(shape) + ", found " +
                     tprt_dtype_name(argument.dtype) + " " + shapeText(argument.globalShape));
    return int(i);
  }
  throw badInput("manifest: entry '" + entry.name + "' has no input '" + name +
                 "', which a model of its form needs");
}

void tprt::setIntegers(Session &session, int entry, int argument,
                       const std::vector<int64_t> &values) {
  const ValueInfo &target = session.manifest().entries[size_t(entry)].arguments[size_t(argument)];
  Array array(target.dtype, target.globalShape);
  for (size_t i = 0; i < values.size(); ++i)
    if (target.dtype == TPRT_I64)
      array.as<int64_t>()[i] = values[i];
    else
      array.as<int32_t>()[i] = int32_t(values[i]);
  session.setInput(entry, argument, array);
}

Array tprt::floatResult(const Session &session, int entry, int index,
                        const std::vector<int64_t> &shape, const std::string &what) {
  const EntryInfo &target = session.manifest().entries[size_t(entry)];
  if (int(target.results.size()) <= index)
    throw badInput("entry '" + target.name + "' returns no " + what);
  const ValueInfo &result = target.results[size_t(index)];
  if (result.globalShape != shape || !isFloat(result.dtype))
    throw badInput("manifest: result " + std::to_string(index) + " of '" + target.name +
                   "' must be floats of shape " + shapeText(shape) + ", found " +
                   tprt_dtype_name(result.dtype) + " " + shapeText(result.globalShape));
  return convertArray(session.result(entry, index), TPRT_F32, what);
}

void tprt::checkTokens(const std::vector<int64_t> &tokens, int64_t vocab,
                       const std::string &where) {
  for (int64_t token : tokens)
    if (token < 0 || token >= vocab)
      throw badInput(where + "token id " + std::to_string(token) +
                     " is out of range, the vocabulary has " + std::to_string(vocab));
}
