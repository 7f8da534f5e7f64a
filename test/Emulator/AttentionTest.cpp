//===- AttentionTest.cpp - The library's attention on the emulated device --===//
//
// Against the definition in doubles, over shapes at whose edges tiles end.
//
//===----------------------------------------------------------------------===//

#include "lib/Emulator/NarrowFloats.h"
#include "runtime/include/tprt/dtype.h"
#include "tp/Emulator/DeviceCode.h"
#include "tp/Emulator/DeviceMemory.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>

using namespace mlir::tp::emulator;

namespace {

/// What is computed, as `nn.attention_blocks` says it; without `parts` as `nn.attention`.
struct Case {
  const char *type;
  int64_t depth, batch = 1, steps = 1, heads = 1, group = 1, capacity = 64;
  std::vector<int64_t> positions = {0};
  int64_t window = 0;
  bool bidirectional = false;
  int64_t parts = 0, stepOffset = 0, positionOffset = 0;
  std::optional<int64_t> extent = {};
};

std::ostream &operator<<(std::ostream &out, const Case &c) {
  out << c.type << " depth " << c.depth << " batch " << c.batch << " steps " << c.steps << " heads "
      << c.heads << " group " << c.group << " capacity " << c.capacity << " window " << c.window
      << (c.bidirectional ? " bidirectional" : "") << " parts " << c.parts << " positions";
  for (int64_t position : c.positions)
    out << ' ' << position;
  return out;
}

/// Numbers of one type on host and device.
class Numbers {
public:
  Numbers(std::string type) : type(std::move(type)) {}

  size_t bytes() const { return type == "f32" ? 4 : 2; }
  int dtype() const { return type == "f32" ? TPRT_F32 : type == "f16" ? TPRT_F16 : TPRT_BF16; }
  double read(const char *from) const {
    if (type == "f32") {
      float value;
      std::memcpy(&value, from, 4);
      return value;
    }
    uint16_t bits;
    std::memcpy(&bits, from, 2);
    return type == "bf16" ? fromBF16(bits) : fromF16(bits);
  }
  void write(char *to, float value) const {
    if (type == "f32") {
      std::memcpy(to, &value, 4);
      return;
    }
    if (type == "f16") {
      auto narrow = static_cast<_Float16>(value);
      std::memcpy(to, &narrow, 2);
      return;
    }
    // To the nearest, ties to even; what is no number stays none.
    uint32_t bits = llvm::bit_cast<uint32_t>(value);
    if (!std::isnan(value))
      bits += 0x7FFF + (bits >> 16 & 1);
    uint16_t upper = bits >> 16;
    std::memcpy(to, &upper, 2);
  }
  /// Of a result with terms of about 1.
  double tolerance() const { return type == "f32" ? 2e-6 : type == "f16" ? 2e-3 : 1.6e-2; }

private:
  std::string type;
};

/// A device and the kernels, for all tests: loading them takes longer than most.
struct Device {
  Device() {
    auto buffer = llvm::MemoryBuffer::getFile(TP_BINARY_DIR "/Attention.bc");
    EXPECT_TRUE(!!buffer);
    code = llvm::cantFail(DeviceCode::load((*buffer)->getBuffer(), memory));
  }

  DeviceMemory memory;
  Order order;
  unsigned stream = order.addLine();
  std::unique_ptr<DeviceCode> code;
};

class AttentionTest : public testing::Test {
protected:
  static Device &getDevice() {
    static Device device;
    return device;
  }

  char *allocate(size_t bytes) { return static_cast<char *>(memory.allocate(bytes)); }
  void setWritten(char *data, size_t bytes) {
    llvm::cantFail(memory.write(data, bytes, order.add(stream, "a copy")));
  }
  std::vector<double> readAll(const char *data, size_t count, const Numbers &numbers) {
    llvm::Error error =
        memory.read(const_cast<char *>(data), count * numbers.bytes(), order.add(stream, "a copy"));
    EXPECT_FALSE(!!error) << llvm::toString(std::move(error));
    std::vector<double> values;
    for (size_t i = 0; i < count; ++i)
      values.push_back(numbers.read(data + i * numbers.bytes()));
    return values;
  }

  template <typename... Parameters>
  void launch(const std::string &kernel, int64_t blocks, int64_t threads, int64_t shared,
              Parameters... parameters) {
    void *addresses[] = {&parameters...};
    LaunchConfig config = {{static_cast<uint32_t>(blocks)}, {static_cast<uint32_t>(threads)}};
    config.sharedBytes = shared;
    if (llvm::Error error = getDevice().code->launch(kernel, config, addresses,
                                                     order.add(stream, "kernel '" + kernel + "'")))
      FAIL() << llvm::toString(std::move(error));
  }

  /// Fills what `fill` gives, from (row, key, ...) numbers, in a new array.
  template <typename Fill> char *create(size_t count, const Numbers &numbers, Fill fill) {
    char *data = allocate(count * numbers.bytes());
    setWritten(data, count * numbers.bytes());
    for (size_t i = 0; i < count; ++i)
      numbers.write(data + i * numbers.bytes(), fill(i));
    return data;
  }

  void check(const Case &c);

  DeviceMemory &memory = getDevice().memory;
  Order &order = getDevice().order;
  unsigned stream = getDevice().stream;
  /// What keys and values hold from `c.positions` of all rows on; unwritten where absent.
  std::optional<float> beyond = NAN;
  /// What some values are.
  std::optional<float> special;
};

/// A hash as a number in [-1, 1).
float noise(size_t i, uint32_t seed) {
  uint32_t bits = static_cast<uint32_t>(i) * 2654435761u + seed * 40503u;
  bits ^= bits >> 15;
  bits *= 2246822519u;
  bits ^= bits >> 13;
  return static_cast<float>(bits >> 8) / (1 << 23) - 1;
}

void AttentionTest::check(const Case &c) {
  SCOPED_TRACE(testing::PrintToString(c));
  Numbers numbers(c.type), floats("f32");
  int64_t rows = c.batch * c.steps * c.heads * c.group;
  int64_t extent = c.extent.value_or(c.capacity);
  float scale = 1 / std::sqrt(static_cast<float>(c.depth));
  auto bounds = [&](int64_t batch, int64_t step) -> std::pair<int64_t, int64_t> {
    int64_t end = c.positions[batch % c.positions.size()] - c.positionOffset;
    if (!c.bidirectional)
      end += step + 1 + c.stepOffset;
    int64_t first = c.window ? std::max<int64_t>(end - c.window, 0) : 0;
    return {first, std::clamp<int64_t>(end, 0, extent)};
  };
  size_t cacheSize = c.batch * c.heads * c.capacity * c.depth;
  auto cache = [&](uint32_t seed) {
    char *data = allocate(cacheSize * numbers.bytes());
    for (int64_t pair = 0; pair < c.batch * c.heads; ++pair) {
      int64_t written = bounds(pair / c.heads, c.steps - 1).second;
      for (int64_t key = 0; key < c.capacity; ++key)
        for (int64_t d = 0; d < c.depth; ++d) {
          size_t i = (pair * c.capacity + key) * c.depth + d;
          char *to = data + i * numbers.bytes();
          if (key < written || beyond)
            setWritten(to, numbers.bytes());
          numbers.write(to, key < written ? noise(i, seed) : beyond.value_or(0));
          if (special && seed == 3 && key % 16 == 10 && d % 7 == 0)
            numbers.write(to, *special);
        }
    }
    return data;
  };
  char *query = create(rows * c.depth, numbers, [&](size_t i) { return noise(i, 1) * 3; });
  char *keys = cache(2), *values = cache(3);
  char *positions = allocate(c.batch * 8);
  setWritten(positions, c.batch * 8);
  for (int64_t b = 0; b < c.batch; ++b)
    std::memcpy(positions + b * 8, &c.positions[b % c.positions.size()], 8);
  char *result = allocate(rows * c.depth * numbers.bytes());

  std::string name = "_" + std::to_string(c.depth) + "_" + c.type;
  // As lib/Conversion/ToKernels/DeviceAttention.cpp.
  bool narrow = numbers.bytes() == 2;
  int64_t stride = c.depth + 16 / numbers.bytes(), pairs = c.batch * c.heads;
  int64_t wholeKeys = narrow ? (c.depth > 128 ? 32 : 64)
                             : (c.depth > 128  ? 8
                                : c.depth > 80 ? 16
                                               : 32);
  int64_t partKeys = narrow ? wholeKeys : c.depth > 128 ? 16 : 32;
  int64_t partThreads = 32 * partKeys / (narrow ? 16 : 8);
  bool inRegisters = narrow && c.depth <= 128;
  auto shared = [&](int64_t keys, int64_t queryRows) {
    return (4 * keys + (inRegisters ? 0 : queryRows)) * stride *
           static_cast<int64_t>(numbers.bytes());
  };
  // As Problem of runtime/cuda/kernels/Attention.h.
  struct {
    uint32_t batch, steps, heads, group;
    int64_t capacity;
    float scale;
    int64_t window;
    bool isBidirectional;
    int64_t stepOffset, positionOffset, extent;
  } problem = {static_cast<uint32_t>(c.batch),
               static_cast<uint32_t>(c.steps),
               static_cast<uint32_t>(c.heads),
               static_cast<uint32_t>(c.group),
               c.capacity,
               scale,
               c.window,
               c.bidirectional,
               c.stepOffset,
               c.positionOffset,
               extent};
  auto parts = static_cast<uint32_t>(c.parts);
  if (parts == 0) {
    launch("attention" + name, pairs * ((c.steps * c.group + 63) / 64), 128, shared(wholeKeys, 64),
           query, keys, values, positions, result, problem);
  } else {
    char *sums = allocate(parts * rows * (c.depth + 1) * 4);
    char *largest = allocate(parts * rows * 4);
    launch("attention_parts" + name, parts * pairs * ((c.steps * c.group + 15) / 16), partThreads,
           shared(partKeys, 16), query, keys, values, positions, sums, largest, problem, parts);
    if (HasFatalFailure())
      return;
    // All of them are written.
    readAll(sums, parts * rows * (c.depth + 1), floats);
    readAll(largest, parts * rows, floats);
    launch("attention_merge", rows, (c.depth + 31) / 32 * 32, 0, sums, largest, numbers.dtype(),
           result, parts, static_cast<uint64_t>(rows), static_cast<uint32_t>(c.depth));
  }
  if (HasFatalFailure())
    return;

  std::vector<double> got = readAll(result, rows * c.depth, numbers);
  int failures = 0;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t head = row / c.group % c.heads, step = row / (c.group * c.heads) % c.steps;
    int64_t batch = row / (c.group * c.heads * c.steps);
    auto [first, end] = bounds(batch, step);
    auto place = [&](int64_t key) {
      return ((batch * c.heads + head) * c.capacity + key) * c.depth;
    };
    auto at = [&](const char *data, int64_t i) { return numbers.read(data + i * numbers.bytes()); };
    std::vector<double> scores;
    double best = -INFINITY, total = 0;
    for (int64_t key = first; key < end; ++key) {
      double score = 0;
      for (int64_t d = 0; d < c.depth; ++d)
        score += at(query, row * c.depth + d) * at(keys, place(key) + d);
      scores.push_back(score * scale);
      best = std::max(best, scores.back());
    }
    for (double &score : scores)
      total += score = std::exp(score - best);
    for (int64_t d = 0; d < c.depth; ++d) {
      double sum = 0;
      for (int64_t key = first; key < end; ++key)
        sum += scores[key - first] * at(values, place(key) + d);
      double expected = sum / total, found = got[row * c.depth + d];
      bool same = std::isfinite(expected) ? std::abs(found - expected) <= numbers.tolerance()
                                          : std::isnan(expected) == std::isnan(found) &&
                                                (std::isnan(found) || found == expected);
      if (!same && ++failures <= 5)
        ADD_FAILURE() << "row " << row << " column " << d << ": " << found << ", expected "
                      << expected;
    }
  }
  for (char *data : {query, keys, values, positions, result})
    llvm::cantFail(memory.free(data, order.add(stream, "a free")));
}

const char *const types[] = {"f32", "bf16", "f16"};

Case with(Case c, int64_t window, bool bidirectional = false) {
  c.window = window;
  c.bidirectional = bidirectional;
  return c;
}

// Rows of a second block that has few of them; tiles that end where keys do, one later, and
// within; rows of the batch at positions of their own; windows shorter and longer than tiles.
TEST_F(AttentionTest, Whole) {
  for (const char *type : types)
    for (int64_t depth : {16, 32, 64, 80, 96, 128, 256}) {
      check({type, depth, 1, 21, 2, 3, 40, {7}});
      check(with({type, depth, 2, 9, 1, 2, 150, {55, 119}}, 20));
    }
  for (const char *type : types) {
    for (int64_t start : {0, 31, 63, 64, 65})
      check({type, 32, 1, 1, 1, 1, 80, {start}});
    check({type, 32, 1, 70, 1, 1, 70, {0}});
    check(with({type, 32, 1, 66, 1, 1, 200, {134}}, 1));
    check(with({type, 32, 1, 3, 1, 2, 200, {190}}, 64));
    check(with({type, 32, 1, 3, 1, 2, 200, {190}}, 1000));
    for (int64_t count : {1, 63, 64, 65})
      check(with({type, 32, 1, 5, 2, 1, 65, {count}}, 0, true));
  }
}

TEST_F(AttentionTest, Parts) {
  for (const char *type : types)
    for (int64_t depth : {16, 32, 64, 80, 96, 128, 256}) {
      check({type, depth, 1, 1, 2, 4, 200, {130}, 0, false, 3});
      check(with({type, depth, 2, 3, 1, 7, 200, {5, 197}, 0, false, 2}, 70));
    }
  for (const char *type : types) {
    for (int64_t start : {0, 15, 16, 63, 64, 199})
      check({type, 32, 1, 1, 1, 1, 200, {start}, 0, false, 4});
    check({type, 32, 1, 1, 1, 1, 1000, {999}, 0, false, 5});
    check({type, 32, 1, 1, 1, 1, 100, {99}, 0, false, 1});
    check(with({type, 32, 1, 2, 1, 1, 90, {77}, 0, false, 3}, 0, true));
  }
}

// Of keys and values that a rank has some of, a rank that has some of the steps.
TEST_F(AttentionTest, BlocksOfPositions) {
  for (const char *type : types) {
    check({type, 32, 1, 3, 2, 1, 64, {70}, 0, false, 2, 5, 64, 60});
    check(with({type, 32, 1, 3, 2, 1, 64, {20}, 0, false, 2, 5, 16}, 8));
    check(with({type, 32, 1, 2, 1, 1, 64, {100}, 0, false, 1, 0, 64, 50}, 0, true));
  }
}

// No position is seen, keys beyond the cache, no step before the window.
TEST_F(AttentionTest, PositionsAtTheEnds) {
  for (const char *type : types)
    for (int64_t parts : {0, 2}) {
      check({type, 32, 1, 2, 1, 1, 64, {-1}, 0, false, parts});
      check({type, 32, 1, 2, 1, 1, 64, {-100}, 0, false, parts});
      check({type, 32, 1, 2, 1, 1, 64, {1000}, 0, false, parts});
      check(with({type, 32, 1, 2, 1, 1, 64, {0}, 0, false, parts}, 0, true));
      check(with({type, 32, 1, 2, 1, 1, 64, {100}, 0, false, parts}, 0, true));
      check(with({type, 32, 1, 2, 1, 1, 64, {80}, 0, false, parts}, 10));
    }
}

// What nobody sees is not read.
TEST_F(AttentionTest, UnwrittenKeys) {
  beyond = std::nullopt;
  for (const char *type : types)
    for (int64_t parts : {0, 3})
      check({type, 32, 2, 5, 1, 2, 200, {66, 130}, 0, false, parts});
}

// Values that later rows see are infinite or no numbers, those that earlier ones see are not.
TEST_F(AttentionTest, NoNumbers) {
  for (const char *type : types)
    for (int64_t parts : {0, 2})
      for (float value : {NAN, INFINITY, -INFINITY}) {
        special = value;
        check({type, 64, 1, 20, 1, 1, 100, {50}, 0, false, parts});
        check(with({type, 64, 1, 20, 1, 1, 100, {50}, 0, false, parts}, 6));
      }
}

} // namespace
