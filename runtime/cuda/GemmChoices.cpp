//===- GemmChoices.cpp - algorithms of matrix products, in a file ----------===//
//
//   [{"device": "NVIDIA H200", "cublasLt": "13.1.0",
//     "products": {"4096x4096x4096 bf16 ...": {"algorithm": [8 numbers], "microseconds": 172.5}}}]
//
//===----------------------------------------------------------------------===//

#include "GemmChoices.h"

#include "tprt/error.h"

#include <nlohmann/json.hpp>

using namespace tprt;
using namespace tprt::cuda;
using nlohmann::ordered_json;

namespace {

/// Throws an error of the user unless `holds`.
void require(bool holds, const std::string &path, const std::string &rule) {
  if (!holds)
    throw badInput(path + ": has no algorithms of matrix products: " + rule,
                   {"without the file they are measured anew"});
}

/// The text that `entry` has as `key`.
std::string textOf(const ordered_json &entry, const char *key, const std::string &path) {
  require(entry.is_object() && entry.contains(key) && entry[key].is_string(), path,
          std::string("an entry needs \"") + key + "\", a text");
  return entry[key];
}

} // namespace

void GemmChoices::add(const std::string &text, const std::string &path) {
  if (text.empty())
    return;
  ordered_json root;
  try {
    root = ordered_json::parse(text);
  } catch (const ordered_json::parse_error &problem) {
    require(false, path, "it is no JSON, see byte " + std::to_string(problem.byte));
  }
  require(root.is_array(), path, "it is no list");
  for (const ordered_json &entry : root) {
    const Place place = {textOf(entry, "device", path), textOf(entry, "cublasLt", path)};
    require(entry.contains("products") && entry["products"].is_object(), path,
            "an entry needs \"products\", an object");
    for (const auto &[product, choice] : entry["products"].items()) {
      Choice added = {};
      const ordered_json numbers =
          choice.is_object() ? choice.value("algorithm", ordered_json()) : ordered_json();
      const ordered_json time =
          choice.is_object() ? choice.value("microseconds", ordered_json()) : ordered_json();
      bool fits =
          numbers.is_array() && numbers.size() == std::size(added.algo.data) && time.is_number();
      for (const ordered_json &number : numbers)
        fits = fits && number.is_number_unsigned();
      require(fits, path,
              "'" + product + "' needs \"algorithm\", " +
                  std::to_string(std::size(added.algo.data)) +
                  " numbers, and \"microseconds\", a number");
      for (size_t i = 0; i < numbers.size(); ++i)
        added.algo.data[i] = numbers[i];
      added.microseconds = time;
      choices[place][product] = added;
    }
  }
}

std::string GemmChoices::text() const {
  ordered_json root = ordered_json::array();
  for (const auto &[place, products] : choices) {
    ordered_json entry = {{"device", place.device},
                          {"cublasLt", place.version},
                          {"products", ordered_json::object()}};
    for (const auto &[product, choice] : products)
      entry["products"][product] = {{"algorithm", choice.algo.data},
                                    {"microseconds", choice.microseconds}};
    root.push_back(std::move(entry));
  }
  return root.dump(1) + "\n";
}

std::optional<LtAlgo> GemmChoices::find(const Place &place, const std::string &product) const {
  auto products = choices.find(place);
  if (products == choices.end())
    return std::nullopt;
  auto choice = products->second.find(product);
  return choice == products->second.end() ? std::nullopt : std::optional(choice->second.algo);
}

void GemmChoices::set(const Place &place, const std::string &product, const LtAlgo &algo,
                      double microseconds) {
  choices[place][product] = {algo, microseconds};
}
