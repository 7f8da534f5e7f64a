//===- TokenText.cpp - rows of token ids as text --------------------------===//

#include "TokenText.h"

#include "tprt/error.h"

#include <cerrno>
#include <cstdlib>

using namespace tprt;

namespace {

std::vector<std::string> splitAt(const std::string &text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (;;) {
    size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos)
      return parts;
    begin = end + 1;
  }
}

/// A part of a message that fits a line.
std::string shortened(const std::string &text) {
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

} // namespace

TokenRows tprt::parseRows(const std::string &text, const std::string &what) {
  TokenRows rows;
  for (const std::string &row : splitAt(text, ';')) {
    rows.emplace_back();
    for (const std::string &part : splitAt(row, ',')) {
      char *end = nullptr;
      errno = 0;
      const long long token = std::strtoll(part.c_str(), &end, 10);
      // The end is compared with the length: a zero byte ends no token.
      const size_t rest = part.find_first_not_of(" \t", size_t(end - part.c_str()));
      if (end == part.c_str() || rest != std::string::npos || errno == ERANGE)
        throw badInput(what + "'" + shortened(part) + "' is no token id");
      rows.back().push_back(token);
    }
  }
  return rows;
}

std::string tprt::rowText(const std::vector<int64_t> &tokens) {
  std::string text;
  for (size_t i = 0; i < tokens.size(); ++i)
    text += (i ? "," : "") + std::to_string(tokens[i]);
  return text;
}
