//===- NNOps.cpp - The nn dialect, straight from its definitions -----------===//
//
// Written apart from the decomposition into linalg, so that each checks the
// other. Floats are computed in f32 (f64 ones in f64) and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Environment.h"

#include "dialects/NN/NN.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;

/// The type in which values of this type are computed.
static FloatType getComputeType(Type type) {
  if (type.isF64())
    return cast<FloatType>(type);
  return Float32Type::get(type.getContext());
}

static int64_t getRow(const Tensor &table, int64_t id, int64_t offset) {
  int64_t row = id - offset;
  return row >= 0 && row < table.getDim(0) ? row : -1;
}

static Results embedding(nn::EmbeddingOp op, ArrayRef<Tensor> operands) {
  const Tensor &ids = operands[0], &table = operands[1];
  int64_t offset = op.getRowOffset() ? operands[2].getScalar().i : 0;
  int64_t width = table.getDim(1);
  Tensor result(cast<RankedTensorType>(op.getType()).getShape(), table.getElementType());
  MutableArrayRef<Element> out = result.mutate();
  for (auto [i, id] : llvm::enumerate(ids.getElements())) {
    int64_t row = getRow(table, id.i, offset);
    for (int64_t d = 0; row >= 0 && d < width; ++d)
      out[i * width + d] = table.at({row, d});
  }
  return {result};
}

static Results powerSums(nn::PowerSumsOp op, const Tensor &input) {
  auto type = cast<RankedTensorType>(op.getType());
  auto element = cast<FloatType>(type.getElementType());
  auto round = [&](double value) { return roundTo(element, value); };
  int64_t size = input.getDim(input.getRank() - 1), count = op.getPowers().size();
  Tensor result(type.getShape(), element);
  MutableArrayRef<Element> out = result.mutate();
  for (int64_t i = 0; i < input.size(); ++i)
    for (auto [j, power] : llvm::enumerate(op.getPowers())) {
      double x = input[i].f;
      double &sum = out[i / size * count + j].f;
      sum = round(sum + (power == 1 ? x : round(x * x)));
    }
  return {result};
}

static Results rmsNorm(nn::RmsNormOp op, ArrayRef<Tensor> operands) {
  const Tensor &input = operands[0], &weight = operands[1];
  auto type = cast<FloatType>(input.getElementType());
  FloatType compute = getComputeType(type);
  auto round = [&](double value) { return roundTo(compute, value); };
  double epsilon = round(op.getEpsilon().convertToDouble());
  double offset = round(op.getWeightOffset().convertToDouble());
  int64_t size = input.getDim(input.getRank() - 1);
  Tensor result = input;
  MutableArrayRef<Element> out = result.mutate();
  for (int64_t row = 0; row < input.size(); row += size) {
    double sum = 0;
    for (int64_t d = 0; d < size; ++d)
      sum = round(sum + round(input[row + d].f * input[row + d].f));
    if (op.getSums())
      sum = operands[2][row / size].f;
    double root = round(std::sqrt(round(round(sum / op.getSize().value_or(size)) + epsilon)));
    for (int64_t d = 0; d < size; ++d)
      out[row + d].f =
          roundTo(type, round(round(input[row + d].f / root) * round(weight[d].f + offset)));
  }
  return {result};
}

static Results layerNorm(nn::LayerNormOp op, ArrayRef<Tensor> operands) {
  const Tensor &input = operands[0], &weight = operands[1], &bias = operands[2];
  auto type = cast<FloatType>(input.getElementType());
  FloatType compute = getComputeType(type);
  auto round = [&](double value) { return roundTo(compute, value); };
  double epsilon = round(op.getEpsilon().convertToDouble());
  int64_t size = input.getDim(input.getRank() - 1);
  Tensor result = input;
  MutableArrayRef<Element> out = result.mutate();
  for (int64_t row = 0; row < input.size(); row += size) {
    double sum = 0, squares = 0;
    for (int64_t d = 0; d < size; ++d)
      sum = round(sum + input[row + d].f);
    double mean = round(sum / size);
    for (int64_t d = 0; d < size; ++d) {
      double difference = round(input[row + d].f - mean);
      squares = round(squares + round(difference * difference));
    }
    double variance = round(squares / size);
    if (op.getSums()) {
      auto sums = cast<FloatType>(operands[3].getElementType());
      double exact = roundTo(sums, operands[3][row / size * 2].f / *op.getSize());
      double square = roundTo(sums, operands[3][row / size * 2 + 1].f / *op.getSize());
      double own = roundTo(sums, square - roundTo(sums, exact * exact));
      mean = round(exact);
      variance = round(own < 0 ? 0 : own);
    }
    double root = round(std::sqrt(round(variance + epsilon)));
    for (int64_t d = 0; d < size; ++d) {
      double normal = round(round(input[row + d].f - mean) / root);
      out[row + d].f = roundTo(type, round(round(normal * weight[d].f) + bias[d].f));
    }
  }
  return {result};
}

static Results rotaryTable(nn::RotaryTableOp op, const Tensor &pos) {
  auto resultType = cast<RankedTensorType>(op.getCos().getType());
  auto type = cast<FloatType>(resultType.getElementType());
  int64_t half = resultType.getDimSize(2);
  Tensor cos(resultType.getShape(), type), sin = cos;
  Element *nextCos = cos.mutate().data(), *nextSin = sin.mutate().data();
  (void)forEachIndex(resultType.getShape(), [&](ArrayRef<int64_t> index) {
    double position = roundTo(type, static_cast<double>(pos[index[0]].i + index[1]));
    double frequency = op.getFrequencies() ? (*op.getFrequencies())[index[2]]
                                           : std::pow(op.getTheta()->convertToDouble(),
                                                      -static_cast<double>(index[2]) / half);
    frequency = roundTo(type, frequency);
    double angle = roundTo(type, position * frequency);
    (nextCos++)->f = roundTo(type, std::cos(angle));
    (nextSin++)->f = roundTo(type, std::sin(angle));
    return success();
  });
  return {cos, sin};
}

static Results rope(const Tensor &input, const Tensor &cos, const Tensor &sin) {
  auto type = cast<FloatType>(input.getElementType());
  FloatType compute = getComputeType(type);
  auto round = [&](double value) { return roundTo(compute, value); };
  int64_t half = cos.getDim(2);
  Tensor result = input;
  Element *out = result.mutate().data();
  (void)forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t d = index.back();
    if (d >= 2 * half) {
      ++out;
      return success();
    }
    SmallVector<int64_t> other(index), angle = {index[0], index[1], d % half};
    other.back() = d < half ? d + half : d - half;
    double product = round(input.at(index).f * cos.at(angle).f);
    double crossed = round(input.at(other).f * sin.at(angle).f);
    (out++)->f = roundTo(type, round(d < half ? product - crossed : product + crossed));
    return success();
  });
  return {result};
}

static FailureOr<Results> cacheUpdate(nn::CacheUpdateOp op, ArrayRef<Tensor> operands,
                                      Environment &env) {
  const Tensor &cache = operands[0], &update = operands[1], &pos = operands[2];
  int64_t count = update.getDim(1), held = cache.getDim(2);
  int64_t capacity = op.getCapacity().value_or(held);
  int64_t offset = op.getPositionOffset() ? operands[3].getScalar().i : 0;
  for (auto [row, position] : llvm::enumerate(pos.getElements()))
    if (position.i < 0 || position.i > capacity - count)
      return env.emitError(op) << "row " << row << " writes " << count << " positions from "
                               << position.i << " on into a cache of " << capacity;
  Tensor result = cache;
  MutableArrayRef<Element> out = result.mutate();
  (void)forEachIndex(update.getShape(), [&](ArrayRef<int64_t> bskd) {
    int64_t position = pos[bskd[0]].i + bskd[1] - offset;
    if (position < 0 || position >= held)
      return success();
    out[result.linearize({bskd[0], bskd[2], position, bskd[3]})] = update.at(bskd);
    return success();
  });
  return Results{result};
}

/// Where an op's optional offset is among its operands.
static int64_t offsetOf(Value offset, Operation *op, ArrayRef<Tensor> operands) {
  for (OpOperand &operand : op->getOpOperands())
    if (offset && operand.get() == offset)
      return operands[operand.getOperandNumber()].getScalar().i;
  return 0;
}

namespace {

/// Attention of one query vector over some positions: the largest score, and by weights
/// relative to it the sums of values and of weights.
struct Attended {
  double largest = -std::numeric_limits<double>::infinity(), total = 0;
  std::vector<double> weights, mixed;
};

} // namespace

/// Attention of the query vector at `q` over positions `first` to `last`.
static Attended attend(double scale, ArrayRef<Tensor> operands, ArrayRef<int64_t> q, int64_t first,
                       int64_t last) {
  const Tensor &query = operands[0], &key = operands[1];
  FloatType compute = getComputeType(cast<FloatType>(query.getElementType()));
  auto round = [&](double value) { return roundTo(compute, value); };
  int64_t b = q[0], s = q[1], k = q[2], g = q[3], width = query.getDim(4);
  Attended result;
  double &max = result.largest;
  for (int64_t t = first; t <= last; ++t) {
    double dot = 0;
    for (int64_t d = 0; d < width; ++d)
      dot = round(dot + round(query.at({b, s, k, g, d}).f * key.at({b, k, t, d}).f));
    double score = round(round(scale) * dot);
    result.weights.push_back(score);
    max = std::isnan(score) ? score : std::fmax(max, score);
  }
  for (double &weight : result.weights) {
    weight = round(std::exp(round(weight - max)));
    result.total = round(result.total + weight);
  }
  return result;
}

/// The positions [first, last] that step `s` of a row sees, whose position or count is `start`.
template <typename OpTy>
static std::pair<int64_t, int64_t> getSeen(OpTy op, int64_t start, int64_t s) {
  int64_t last = op.getBidirectional() ? start - 1 : start + s;
  int64_t first = op.getWindow() ? std::max<int64_t>(last - *op.getWindow() + 1, 0) : 0;
  return {first, last};
}

static FailureOr<Results> attention(nn::AttentionOp op, ArrayRef<Tensor> operands,
                                    Environment &env) {
  const Tensor &query = operands[0], &value = operands[2], &pos = operands[3];
  auto type = cast<FloatType>(query.getElementType());
  FloatType compute = getComputeType(type);
  auto round = [&](double value) { return roundTo(compute, value); };
  int64_t width = query.getDim(4), capacity = operands[1].getDim(2);
  int64_t stepOffset = offsetOf(op.getStepOffset(), op, operands);
  Tensor result = query;
  Element *out = result.mutate().data();
  LogicalResult done = forEachIndex(query.getShape().drop_back(), [&](ArrayRef<int64_t> q) {
    auto [first, end] = getSeen(op, pos[q[0]].i, q[1] + stepOffset);
    int64_t last = std::min(end, capacity - 1);
    Attended attended = attend(op.getScale().convertToDouble(), operands, q, first, last);
    for (int64_t d = 0; d < width; ++d) {
      double mixed = 0;
      for (auto [t, weight] : llvm::enumerate(attended.weights))
        mixed = round(mixed + round(round(weight / attended.total) *
                                    value.at({q[0], q[2], first + int64_t(t), d}).f));
      // Nothing seen is 0 / 0.
      (out++)->f = roundTo(type, attended.weights.empty() ? std::nan("") : mixed);
    }
    return env.step(op, std::max<int64_t>(last, 0));
  });
  if (failed(done))
    return failure();
  return Results{result};
}

static FailureOr<Results> attentionBlocks(nn::AttentionBlocksOp op, ArrayRef<Tensor> operands,
                                          Environment &env) {
  const Tensor &query = operands[0], &value = operands[2], &pos = operands[3];
  auto sumsType = cast<RankedTensorType>(op.getSums().getType());
  auto compute = cast<FloatType>(sumsType.getElementType());
  auto round = [&](double value) { return roundTo(compute, value); };
  int64_t width = query.getDim(4), positions = operands[1].getDim(2);
  int64_t size = llvm::divideCeil(positions, sumsType.getDimSize(0));
  int64_t stepOffset = offsetOf(op.getStepOffset(), op, operands);
  int64_t positionOffset = offsetOf(op.getPositionOffset(), op, operands);
  int64_t extent = op.getExtent() ? offsetOf(op.getExtent(), op, operands) : positions;
  Tensor sums(sumsType.getShape(), compute);
  Tensor largest(sumsType.getShape().drop_back(), compute);
  Element *nextSum = sums.mutate().data(), *nextLargest = largest.mutate().data();
  LogicalResult done = forEachIndex(largest.getShape(), [&](ArrayRef<int64_t> cq) {
    ArrayRef<int64_t> q = cq.drop_front();
    auto [from, to] = getSeen(op, pos[q[0]].i, q[1] + stepOffset);
    int64_t first = std::max(from - positionOffset, cq[0] * size);
    int64_t last = std::min({to - positionOffset, (cq[0] + 1) * size - 1, extent - 1});
    Attended attended = attend(op.getScale().convertToDouble(), operands, q, first, last);
    for (int64_t d = 0; d < width; ++d) {
      double mixed = 0;
      for (auto [t, weight] : llvm::enumerate(attended.weights))
        mixed = round(mixed + round(weight * value.at({q[0], q[2], first + int64_t(t), d}).f));
      (nextSum++)->f = mixed;
    }
    (nextSum++)->f = attended.total;
    (nextLargest++)->f = attended.largest;
    return env.step(op, std::max<int64_t>(last, 0));
  });
  if (failed(done))
    return failure();
  return Results{sums, largest};
}

static Results attentionMerge(nn::AttentionMergeOp op, ArrayRef<Tensor> operands) {
  const Tensor &sums = operands[0], &largest = operands[1], &limit = operands[2];
  auto type = cast<RankedTensorType>(op.getType());
  auto element = cast<FloatType>(type.getElementType());
  auto round = [&](double value) { return roundTo(element, value); };
  Tensor result(type.getShape(), element);
  MutableArrayRef<Element> out = result.mutate();
  int64_t width = type.getShape().back();
  for (int64_t i = 0; i < sums.size(); ++i) {
    double top = largest[i / width].f, &sum = out[i % result.size()].f;
    if (top == -std::numeric_limits<double>::infinity())
      continue;
    double scale = round(std::exp(round(top - limit[i / width % limit.size()].f)));
    sum = round(sum + round(sums[i].f * scale));
  }
  return {result};
}

static Results attentionFinish(nn::AttentionFinishOp op, const Tensor &input) {
  auto type = cast<RankedTensorType>(op.getType());
  auto compute = cast<FloatType>(input.getElementType());
  Tensor result(type.getShape(), type.getElementType());
  MutableArrayRef<Element> out = result.mutate();
  int64_t width = type.getShape().back();
  for (int64_t i = 0; i < result.size(); ++i) {
    int64_t row = i / width * (width + 1);
    out[i].f = roundTo(cast<FloatType>(type.getElementType()),
                       roundTo(compute, input[row + i % width].f / input[row + width].f));
  }
  return {result};
}

/// Strictly larger wins from the lowest value on, so that blocks of any size,
/// merged in the same way, give what one block gives.
static Results argmax(nn::ArgmaxOp op, ArrayRef<Tensor> operands) {
  const Tensor &input = operands[0];
  int64_t offset = op.getIndexOffset() ? operands[1].getScalar().i : 0;
  auto valuesType = cast<RankedTensorType>(op.getValues().getType());
  auto indicesType = cast<RankedTensorType>(op.getIndices().getType());
  int64_t n = input.getDim(input.getRank() - 1), blocks = valuesType.getShape().back();
  int64_t blockSize = llvm::divideCeil(n, blocks);
  Tensor values(valuesType.getShape(), valuesType.getElementType(),
                getNeutral(ReductionKind::Max, valuesType.getElementType()));
  Tensor indices(indicesType.getShape(), indicesType.getElementType());
  MutableArrayRef<Element> best = values.mutate(), where = indices.mutate();
  for (int64_t i = 0; i < input.size(); ++i) {
    int64_t slot = i / n * blocks + i % n / blockSize;
    if (input[i].f > best[slot].f) {
      best[slot] = input[i];
      where[slot].i = i % n + offset;
    }
  }
  return {values, indices};
}

/// Per block of a line the elements that are better than the bound, sorted.
static Results topK(nn::TopKOp op, ArrayRef<Tensor> operands) {
  const Tensor &input = operands[0];
  int64_t offset = op.getIndexOffset() ? operands.back().getScalar().i : 0, dim = op.getDim();
  auto valuesType = cast<RankedTensorType>(op.getValues().getType());
  int64_t n = input.getDim(dim), blocks = op.getBlocks(), size = llvm::divideCeil(n, blocks);
  int64_t made = valuesType.getDimSize(dim), k = made / blocks, inner = 1;
  for (int64_t d = dim + 1; d < input.getRank(); ++d)
    inner *= input.getDim(d);
  bool isFloat = isa<FloatType>(input.getElementType());
  Element bound = fromAttribute(input.getElementType(), op.getBound());
  Element missing = Element::ofInt(op.getMissingIndex());
  auto isBetter = [&](const Element &a, const Element &b) {
    if (!isFloat)
      return op.getSmallest() ? a.i < b.i : a.i > b.i;
    if (std::isnan(a.f) || std::isnan(b.f))
      return op.getNanFirst() && std::isnan(a.f) && !std::isnan(b.f);
    return op.getSmallest() ? a.f < b.f : a.f > b.f;
  };
  Tensor values(valuesType.getShape(), valuesType.getElementType(), bound);
  Tensor indices(valuesType.getShape(), IntegerType::get(op.getContext(), 64), missing);
  MutableArrayRef<Element> best = values.mutate(), where = indices.mutate();
  int64_t lines = n == 0 ? 0 : input.size() / n;
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t block = 0; block < blocks; ++block) {
      auto from = [&](int64_t at) { return (line / inner * n + at) * inner + line % inner; };
      std::vector<int64_t> order;
      for (int64_t at = block * size; at < std::min(n, (block + 1) * size); ++at)
        if (isBetter(input[from(at)], bound))
          order.push_back(at);
      llvm::sort(order, [&](int64_t a, int64_t b) {
        const Element &x = input[from(a)], &y = input[from(b)];
        return isBetter(x, y) || (!isBetter(y, x) && a < b);
      });
      for (int64_t j = 0; j < std::min<int64_t>(k, order.size()); ++j) {
        int64_t to = (line / inner * made + block * k + j) * inner + line % inner;
        best[to] = input[from(order[j])];
        where[to].i = op.getInputIndices() ? operands[1][from(order[j])].i : order[j] + offset;
      }
    }
  return {values, indices};
}

/// Sorted, where the decomposition compares each with each.
static Results sample(nn::SampleOp op, ArrayRef<Tensor> operands) {
  const Tensor &logits = operands[0], &uniform = operands[1];
  double temperature = operands[2].getScalar().f, topP = operands[4].getScalar().f;
  int64_t topK = operands[3].getScalar().i, rows = logits.getDim(0), n = logits.getDim(1);
  Tensor result({rows}, IntegerType::get(op.getContext(), 64));
  MutableArrayRef<Element> out = result.mutate();
  for (int64_t row = 0; row < rows; ++row) {
    auto logit = [&](int64_t token) { return logits[row * n + token].f; };
    std::vector<int64_t> order;
    for (int64_t token = 0; token < n; ++token)
      order.push_back(token);
    out[row].i = -1;
    if (llvm::any_of(order, [&](int64_t token) { return !std::isfinite(logit(token)); }))
      continue;
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return logit(a) > logit(b) || (logit(a) == logit(b) && a < b);
    });
    auto weight = [&](int64_t token) {
      double below = logit(token) - logit(order[0]);
      return below == 0 ? 1 : std::exp(below / temperature);
    };
    auto sum = [&](ArrayRef<int64_t> tokens) {
      double total = 0;
      for (int64_t token : tokens)
        total += weight(token);
      return total;
    };
    if (topK > 0 && topK < n)
      order.resize(topK);
    // Those before are part of what is wanted.
    double wanted = topP * sum(order), before = 0;
    size_t kept = 0;
    for (; kept < order.size() && (topP >= 1 || before < wanted); ++kept)
      before += weight(order[kept]);
    order.resize(kept);
    llvm::sort(order);
    double target = uniform[row].f * sum(order), until = 0;
    for (int64_t token : order) {
      if (weight(token) == 0)
        continue;
      out[row].i = token;
      if (target < (until += weight(token)))
        break;
    }
  }
  return {result};
}

std::optional<FailureOr<Results>> interp::evaluateNNOp(Operation *op, ArrayRef<Tensor> operands,
                                                       Environment &env) {
  using R = std::optional<FailureOr<Results>>;
  if (env.options.useDefinitions)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([&](nn::EmbeddingOp op) -> R { return embedding(op, operands); })
      .Case([&](nn::PowerSumsOp op) -> R { return powerSums(op, operands[0]); })
      .Case([&](nn::RmsNormOp op) -> R { return rmsNorm(op, operands); })
      .Case([&](nn::LayerNormOp op) -> R { return layerNorm(op, operands); })
      .Case([&](nn::RotaryTableOp op) -> R { return rotaryTable(op, operands[0]); })
      .Case([&](nn::RopeOp) -> R { return rope(operands[0], operands[1], operands[2]); })
      .Case([&](nn::CacheUpdateOp op) -> R { return cacheUpdate(op, operands, env); })
      .Case([&](nn::AttentionOp op) -> R { return attention(op, operands, env); })
      .Case([&](nn::AttentionBlocksOp op) -> R { return attentionBlocks(op, operands, env); })
      .Case([&](nn::AttentionMergeOp op) -> R { return attentionMerge(op, operands); })
      .Case([&](nn::AttentionFinishOp op) -> R { return attentionFinish(op, operands[0]); })
      .Case([&](nn::ArgmaxOp op) -> R { return argmax(op, operands); })
      .Case([&](nn::TopKOp op) -> R { return topK(op, operands); })
      .Case([&](nn::SampleOp op) -> R { return sample(op, operands); })
      .Default([](Operation *) { return std::nullopt; });
}
