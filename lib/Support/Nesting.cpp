//===- Nesting.cpp - How deep the brackets of a text nest ------------------===//

#include "tp/Support/Nesting.h"

using namespace mlir;

std::optional<tp::TextPosition> tp::findTooDeep(llvm::StringRef text, unsigned limit) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i).starts_with("->") || text.substr(i).starts_with(">=")) {
      ++i; // no bracket
    } else if (StringRef("([{<").contains(c) && ++depth > limit) {
      StringRef before = text.take_front(i);
      unsigned line = before.count('\n') + 1;
      return TextPosition{line, unsigned(i - (before.rfind('\n') + 1) + 1)};
    } else if (StringRef(")]}>").contains(c) && depth > 0) {
      --depth;
    }
  }
  return std::nullopt;
}
