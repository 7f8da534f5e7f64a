//===- NearNames.cpp - what a misspelt name may have meant ----------------===//

#include "NearNames.h"

#include <algorithm>

using namespace tprt;

namespace {
/// Edits (insert, remove, replace one character) that turn `a` into `b`.
size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}
} // namespace

std::vector<std::string> tprt::nearNotes(const std::string &name,
                                         const std::vector<std::string> &names) {
  std::vector<std::pair<size_t, std::string>> scored;
  for (const std::string &candidate : names) {
    bool contains = candidate.find(name) != std::string::npos ||
                    (!candidate.empty() && name.find(candidate) != std::string::npos);
    size_t distance = editDistance(name, candidate);
    if (contains || distance <= std::max<size_t>(1, name.size() / 3))
      scored.emplace_back(distance, candidate);
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::string> result;
  for (size_t i = 0; i < scored.size() && i < 3; ++i)
    result.push_back("near name: '" + scored[i].second + "'");
  return result;
}
