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

void GemmChoices::add(const std::string &text, const std::string &path) {
  if (text.empty())
    return;
  try {
    for (const ordered_json &entry : ordered_json::parse(text)) {
      auto &products = choices[{entry.at("device"), entry.at("cublasLt")}];
      for (const auto &[product, choice] : entry.at("products").items()) {
        Choice &added = products[product];
        for (size_t i = 0; i < std::size(added.algo.data); ++i)
          added.algo.data[i] = choice.at("algorithm").at(i);
        added.microseconds = choice.at("microseconds");
      }
    }
  } catch (const ordered_json::exception &exception) {
    throw badInput(path + ": has no algorithms of matrix products: " + exception.what(),
                   {"without the file they are measured anew"});
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
