//===- Mutate.cpp - Text with a few random changes -------------------------===//

#include "tp/Fuzz/Mutate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tp;
using namespace mlir::tp::fuzz;
using llvm::SmallVector;
using llvm::StringRef;

/// A word or number, or one other character, as parts of the text.
static std::vector<StringRef> splitTokens(StringRef text) {
  std::vector<StringRef> tokens;
  while (!text.empty()) {
    size_t size = 0;
    while (size < text.size() && (llvm::isAlnum(text[size]) || text[size] == '_'))
      ++size;
    size = std::max<size_t>(size, 1);
    tokens.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return tokens;
}

static std::vector<StringRef> splitLines(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t size = text.find('\n');
    size = size == StringRef::npos ? text.size() : size + 1;
    lines.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return lines;
}

/// Changes a list of parts at one place.
static void changeParts(Choices &choices, std::vector<StringRef> &parts,
                        const std::vector<StringRef> &others) {
  if (parts.empty())
    return;
  auto anywhere = [&] { return parts.begin() + choices.pick(0, parts.size() - 1); };
  switch (choices.pick(0, 4)) {
  case 0:
    parts.erase(anywhere());
    break;
  case 1: {
    StringRef part = *anywhere();
    parts.insert(anywhere(), part);
    break;
  }
  case 2:
    std::iter_swap(anywhere(), anywhere());
    break;
  default:
    if (!others.empty())
      *anywhere() = others[choices.pick(0, others.size() - 1)];
    break;
  }
}

static void changeNumber(Choices &choices, std::vector<StringRef> &tokens) {
  static constexpr StringRef numbers[] = {"0",           "1",
                                          "2",           "3",
                                          "7",           "-1",
                                          "4096",        "65536",
                                          "2147483648",  "9223372036854775807",
                                          "?",           "1000000007",
                                          "-2147483649", "18446744073709551616"};
  SmallVector<size_t> found;
  for (auto [i, token] : llvm::enumerate(tokens))
    if (llvm::isDigit(token.front()))
      found.push_back(i);
  if (!found.empty())
    tokens[found[choices.pick(0, found.size() - 1)]] =
        numbers[choices.pick(0, std::size(numbers) - 1)];
}

static std::string join(const std::vector<StringRef> &parts) {
  std::string text;
  for (StringRef part : parts)
    text += part;
  return text;
}

std::string fuzz::mutateText(Choices &choices, StringRef text, StringRef other) {
  std::string result = text.str();
  // Text with many changes hardly ever parses.
  int64_t n = choices.oneIn(4) ? choices.pick(2, 6) : 1;
  for (int64_t i = 0; i < n && !result.empty(); ++i) {
    std::string before = std::move(result);
    switch (choices.pick(0, 5)) {
    case 0: {
      result = before;
      result[choices.pick(0, result.size() - 1)] = static_cast<char>(choices.pick(1, 255));
      break;
    }
    case 1: {
      std::vector<StringRef> lines = splitLines(before);
      changeParts(choices, lines, splitLines(other));
      result = join(lines);
      break;
    }
    case 2: {
      std::vector<StringRef> tokens = splitTokens(before);
      changeNumber(choices, tokens);
      result = join(tokens);
      break;
    }
    default: {
      std::vector<StringRef> tokens = splitTokens(before);
      changeParts(choices, tokens, splitTokens(other));
      result = join(tokens);
      break;
    }
    }
  }
  return result;
}

std::string fuzz::reduceLines(std::string text, llvm::function_ref<bool(StringRef)> stillFails) {
  bool changed = true;
  while (changed) {
    changed = false;
    std::vector<StringRef> lines = splitLines(text);
    for (size_t size = std::max<size_t>(lines.size() / 2, 1); size > 0; size /= 2)
      for (size_t at = 0; at < lines.size();) {
        std::vector<StringRef> fewer(lines.begin(), lines.begin() + at);
        fewer.insert(fewer.end(), lines.begin() + std::min(at + size, lines.size()), lines.end());
        if (!fewer.empty() && stillFails(join(fewer))) {
          lines = std::move(fewer);
          changed = true;
        } else {
          at += size;
        }
      }
    text = join(lines);
  }
  return text;
}
