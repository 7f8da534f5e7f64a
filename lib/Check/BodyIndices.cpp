//===- BodyIndices.cpp -----------------------------------------------------===//

#include "BodyIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// Tables are for loops that are not longer, over all ranks together.
constexpr int64_t kMaxEntries = 1 << 20;

static int64_t at(ArrayRef<int64_t> values, size_t i) {
  return values.size() == 1 ? values[0] : values[i];
}

/// The number that a value of this type holds when `number` is put into it: booleans are
/// 0 and 1, others have a sign.
static int64_t wrap(int64_t number, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1)
    return number & 1;
  return width >= 64 ? number : llvm::SignExtend64(uint64_t(number), width);
}

static std::optional<int64_t> compute(Operation *op, ArrayRef<int64_t> in) {
  Type type = op->getOperand(0).getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  uint64_t mask = width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  auto u = [&](unsigned i) { return uint64_t(in[i]) & mask; };
  bool divides = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                     arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
  if (divides && (in[1] == 0 || in[1] == -1))
    return std::nullopt;
  // Booleans are kept without their sign.
  if (width == 1 && (divides || isa<arith::MaxSIOp, arith::MinSIOp>(op)))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::AddIOp>([&](auto) { return int64_t(u(0) + u(1)); })
      .Case<arith::SubIOp>([&](auto) { return int64_t(u(0) - u(1)); })
      .Case<arith::MulIOp>([&](auto) { return int64_t(u(0) * u(1)); })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(in[0], in[1]); })
      .Case<arith::MinSIOp>([&](auto) { return std::min(in[0], in[1]); })
      .Case<arith::MaxUIOp>([&](auto) { return int64_t(std::max(u(0), u(1))); })
      .Case<arith::MinUIOp>([&](auto) { return int64_t(std::min(u(0), u(1))); })
      .Case<arith::DivSIOp>([&](auto) { return in[0] / in[1]; })
      .Case<arith::DivUIOp>([&](auto) { return int64_t(u(0) / u(1)); })
      .Case<arith::RemSIOp>([&](auto) { return in[0] % in[1]; })
      .Case<arith::RemUIOp>([&](auto) { return int64_t(u(0) % u(1)); })
      .Case<arith::FloorDivSIOp>([&](auto) { return llvm::divideFloorSigned(in[0], in[1]); })
      .Case<arith::CeilDivSIOp>([&](auto) { return llvm::divideCeilSigned(in[0], in[1]); })
      .Case<arith::AndIOp>([&](auto) { return in[0] & in[1]; })
      .Case<arith::OrIOp>([&](auto) { return in[0] | in[1]; })
      .Case<arith::XOrIOp>([&](auto) { return in[0] ^ in[1]; })
      .Case<arith::SelectOp>([&](auto) { return in[0] ? in[1] : in[2]; })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto) { return width == 1 ? -in[0] : in[0]; })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](auto) { return int64_t(u(0)); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp cmp) -> std::optional<int64_t> {
        // Booleans are compared as they are stored.
        int64_t a = width == 1 ? -in[0] : in[0], b = width == 1 ? -in[1] : in[1];
        switch (cmp.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return a == b;
        case arith::CmpIPredicate::ne:
          return a != b;
        case arith::CmpIPredicate::slt:
          return a < b;
        case arith::CmpIPredicate::sle:
          return a <= b;
        case arith::CmpIPredicate::sgt:
          return a > b;
        case arith::CmpIPredicate::sge:
          return a >= b;
        case arith::CmpIPredicate::ult:
          return u(0) < u(1);
        case arith::CmpIPredicate::ule:
          return u(0) <= u(1);
        case arith::CmpIPredicate::ugt:
          return u(0) > u(1);
        case arith::CmpIPredicate::uge:
          return u(0) >= u(1);
        }
        return std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

const BodyIndex *BodyIndices::get(Value value) {
  auto [it, isNew] = known.try_emplace(value, nullptr);
  if (!isNew)
    return it->second.get();
  std::optional<BodyIndex> index = evaluate(value);
  if (!index)
    return nullptr;
  return (known[value] = std::make_unique<BodyIndex>(std::move(*index))).get();
}

std::optional<BodyIndex> BodyIndices::evaluate(Value value) {
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  BodyIndex index;
  SmallVector<Attribute> constants = outside(value);
  if (Attribute constant; constants.empty() && matchPattern(value, m_Constant(&constant)))
    constants = {constant};
  if (!constants.empty()) {
    index.offsets.clear();
    for (Attribute attr : constants)
      index.offsets.push_back(
          wrap(cast<IntegerAttr>(attr).getValue().getSExtValue(), value.getType()));
    return index;
  }
  Operation *op = value.getDefiningOp();
  if (auto position = dyn_cast_or_null<linalg::IndexOp>(op)) {
    index.terms = {{unsigned(position.getDim()), 1}};
    return index;
  }
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 ? evaluateOp(op) : std::nullopt;
}

std::optional<BodyIndex> BodyIndices::evaluateOp(Operation *op) {
  SmallVector<const BodyIndex *, 3> in;
  std::optional<unsigned> loop;
  bool isOneLoop = true;
  for (Value operand : op->getOperands()) {
    const BodyIndex *index = get(operand);
    if (!index)
      return std::nullopt;
    in.push_back(index);
    auto depend = [&](unsigned on) {
      isOneLoop &= !loop || *loop == on;
      loop = on;
    };
    if (index->loop)
      depend(*index->loop);
    for (auto [on, factor] : index->terms)
      depend(on);
  }
  BodyIndex result;
  if (op->getResult(0).getType().isIndex() && in.size() == 2 && !in[0]->isTable() &&
      !in[1]->isTable() && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    auto combine = [&](int64_t a, int64_t b) {
      return isa<arith::AddIOp>(op) ? a + b : isa<arith::SubIOp>(op) ? a - b : a * b;
    };
    bool isProduct = isa<arith::MulIOp>(op);
    unsigned factor = in[0]->isConstant() ? 0 : 1;
    bool isLinear = !isProduct || (in[factor]->isConstant() && in[factor]->offsets.size() == 1);
    if (isLinear) {
      std::map<unsigned, int64_t> terms;
      if (isProduct) {
        for (auto [on, by] : in[1 - factor]->terms)
          terms[on] = by * in[factor]->offsets[0];
      } else {
        for (auto [on, by] : in[0]->terms)
          terms[on] += by;
        for (auto [on, by] : in[1]->terms)
          terms[on] = combine(terms[on], by);
      }
      for (auto [on, by] : terms)
        if (by != 0)
          result.terms.push_back({on, by});
      size_t count = std::max(in[0]->offsets.size(), in[1]->offsets.size());
      result.offsets.clear();
      for (size_t rank = 0; rank < count; ++rank)
        result.offsets.push_back(combine(at(in[0]->offsets, rank), at(in[1]->offsets, rank)));
      return result;
    }
  }
  if (!isOneLoop)
    return std::nullopt;
  SmallVector<SmallVector<SmallVector<int64_t>, 0>, 3> tables;
  size_t count = 1;
  for (const BodyIndex *index : in) {
    auto table = tabulate(*index, loop);
    if (!table)
      return std::nullopt;
    count = std::max(count, table->size());
    tables.push_back(std::move(*table));
  }
  SmallVector<SmallVector<int64_t>, 0> numbers(count);
  for (size_t rank = 0; rank < count; ++rank)
    for (int64_t i = 0, n = loop ? sizes[*loop] : 1; i < n; ++i) {
      SmallVector<int64_t, 3> operands;
      for (auto &table : tables)
        operands.push_back(table[table.size() == 1 ? 0 : rank][i]);
      std::optional<int64_t> number = compute(op, operands);
      if (!number)
        return std::nullopt;
      numbers[rank].push_back(wrap(*number, op->getResult(0).getType()));
    }
  if (loop) {
    result.loop = loop;
    result.table = std::move(numbers);
    return result;
  }
  result.offsets.clear();
  for (ArrayRef<int64_t> row : numbers)
    result.offsets.push_back(row[0]);
  return result;
}

std::optional<SmallVector<SmallVector<int64_t>, 0>>
BodyIndices::tabulate(const BodyIndex &index, std::optional<unsigned> loop) {
  if (index.isTable())
    return index.table;
  int64_t size = loop ? sizes[*loop] : 1;
  if (index.terms.size() > 1 || size * int64_t(numRanks) > kMaxEntries)
    return std::nullopt;
  int64_t factor = index.terms.empty() ? 0 : index.terms[0].second;
  SmallVector<SmallVector<int64_t>, 0> table;
  for (int64_t offset : index.offsets) {
    table.emplace_back();
    for (int64_t i = 0; i < size; ++i)
      table.back().push_back(offset + factor * i);
  }
  return table;
}
