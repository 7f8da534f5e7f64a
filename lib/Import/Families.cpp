//===- Families.cpp - The list of model families ---------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::tp;

ArrayRef<FamilyEntry> tp::getFamilies() {
  static const FamilyEntry families[] = {
      {"llama", "LlamaForCausalLM", createLlama},
  };
  return families;
}
