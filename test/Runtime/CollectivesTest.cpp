//===- CollectivesTest.cpp - every collective against its definition ------===//
//
// Operands are generated from (rank, index), so every rank knows what all
// others hold, and with it the expected result, element by element from the
// description in abi.def. Operands and references are made once for all ranks.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "Reference.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <mutex>

using namespace tprt;
using namespace tprt_test;

namespace {

struct Shape {
  const char *name;
  std::vector<int64_t> mesh;
  std::vector<AxisPart> group;
};

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> list = {
      {"none", {1}, {}},
      {"one", {1}, {{0, 1, 1}}},
      {"two", {2}, {{0, 1, 2}}},
      {"three", {3}, {{0, 1, 3}}},
      {"four", {4}, {{0, 1, 4}}},
      {"square_major", {2, 2}, {{0, 1, 2}}},
      {"square_minor", {2, 2}, {{1, 1, 2}}},
      {"square_both", {2, 2}, {{0, 1, 2}, {1, 1, 2}}},
      {"square_turned", {2, 2}, {{1, 1, 2}, {0, 1, 2}}},
      {"two_three_major", {2, 3}, {{0, 1, 2}}},
      {"two_three_minor", {2, 3}, {{1, 1, 3}}},
      {"two_three_both", {2, 3}, {{0, 1, 2}, {1, 1, 3}}},
      {"four_outer_half", {4}, {{0, 1, 2}}},
      {"four_inner_half", {4}, {{0, 2, 2}}},
      {"six_inner_third", {6}, {{0, 2, 3}}},
      {"six_turned_parts", {6}, {{0, 2, 3}, {0, 1, 2}}},
  };
  return list;
}

using Param = std::tuple<size_t, size_t>; // backend, shape

class Collectives : public testing::TestWithParam<Param> {
protected:
  const Backend &backend() const { return allBackends()[std::get<0>(GetParam())]; }
  const Shape &shape() const { return shapes()[std::get<1>(GetParam())]; }

  RunSpec spec() const {
    RunSpec spec;
    spec.mesh = shape().mesh;
    spec.groups = {shape().group};
    spec.options.checkCollectives = true;
    return spec;
  }

  /// What `rank` holds; made once, shared by all ranks of the test.
  const Bytes &operand(int32_t dtype, int rank, int64_t count) {
    std::lock_guard<std::mutex> lock(mutex);
    auto [it, inserted] = operands.try_emplace({dtype, rank, count});
    if (inserted)
      it->second = makeOperand(dtype, rank, count);
    return it->second;
  }

  /// Reference reduction of the operands of `ranks`.
  const Bytes &reduced(int32_t kind, int32_t dtype, const std::vector<int> &ranks, int64_t count) {
    std::vector<const Bytes *> parts;
    for (int rank : ranks)
      parts.push_back(&operand(dtype, rank, count));
    std::lock_guard<std::mutex> lock(mutex);
    auto [it, inserted] = references.try_emplace({kind, dtype, ranks, count});
    if (inserted)
      it->second = referenceReduce(kind, dtype, parts);
    return it->second;
  }

  /// Whether the reduction is defined and the backend has it.
  bool isTested(int32_t kind, int32_t dtype) const {
    return referenceIsDefined(kind, dtype) && backend().reduces(kind, dtype);
  }

  void expectNoFailure(const Body &body, int repeats = 1) {
    Failure failure = backend().run(spec(), body, repeats);
    EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
  }

private:
  std::mutex mutex;
  std::map<std::tuple<int32_t, int, int64_t>, Bytes> operands;
  std::map<std::tuple<int32_t, int32_t, std::vector<int>, int64_t>, Bytes> references;
};

/// Members of this rank's group and its place, found by comparing coordinates.
struct Group {
  std::vector<int> ranks;
  int index = 0;
  int size() const { return int(ranks.size()); }
};

/// Straight from the definition: members differ from this rank in the listed
/// parts only, and come in the row-major order of the parts.
Group referenceGroup(const std::vector<int64_t> &mesh, const std::vector<AxisPart> &parts,
                     int rank) {
  auto coordinates = [&](int r) {
    std::vector<int64_t> result(mesh.size());
    for (size_t axis = mesh.size(); axis-- > 0;) {
      result[axis] = r % mesh[axis];
      r /= int(mesh[axis]);
    }
    return result;
  };
  auto partOf = [&](const AxisPart &part, int r) {
    return coordinates(r)[part.axis] / (mesh[part.axis] / (part.pre * part.size)) % part.size;
  };
  int64_t ranks = 1, size = 1;
  for (int64_t extent : mesh)
    ranks *= extent;
  for (const AxisPart &part : parts)
    size *= part.size;
  Group group;
  group.ranks.resize(size_t(size), -1);
  for (int other = 0; other < ranks; ++other) {
    // `other` with its parts replaced by this rank's must be this rank.
    std::vector<int64_t> mixed = coordinates(other);
    int64_t place = 0;
    for (const AxisPart &part : parts) {
      int64_t unit = mesh[part.axis] / (part.pre * part.size);
      mixed[part.axis] += (partOf(part, rank) - partOf(part, other)) * unit;
      place = place * part.size + partOf(part, other);
    }
    if (mixed != coordinates(rank))
      continue;
    group.ranks[size_t(place)] = other;
    if (other == rank)
      group.index = int(place);
  }
  return group;
}

const int32_t kDTypes[] = {TPRT_F64, TPRT_F32, TPRT_F16, TPRT_BF16, TPRT_I64,
                           TPRT_I32, TPRT_I16, TPRT_I8,  TPRT_I1,   TPRT_INDEX};

/// Elements of an operand of `rows` rows: none, one, odd, one that is small for
/// a backend and one that is large (more than 32 KiB in all).
std::vector<int64_t> countsFor(int32_t dtype, int64_t rows) {
  return {0, 1, 7, 768 / std::max<int64_t>(rows, 1),
          36000 / tprt_dtype_size(dtype) / std::max<int64_t>(rows, 1) + 3};
}

/// Rows of a gather or scatter: none, one, few, and, of one type, so many that they are
/// not done one by one.
std::vector<int64_t> rowsFor(int32_t dtype) {
  std::vector<int64_t> rows = {0, 1, 3};
  if (dtype == TPRT_BF16)
    rows.push_back(18);
  return rows;
}

#define CHECK_CALL(call)                                                                           \
  do {                                                                                             \
    if (tprt_status_t status = (call))                                                             \
      return status;                                                                               \
  } while (0)

/// A result that no call has written.
Bytes unset(const Bytes &expected) { return Bytes(expected.size(), char(0x55)); }

/// Fails the test when the bytes differ.
void expectBytes(const Bytes &found, const Bytes &expected, int32_t dtype, const char *what) {
  if (found == expected)
    return;
  size_t size = size_t(tprt_dtype_size(dtype));
  size_t at = 0;
  while (at < found.size() && found[at] == expected[at])
    ++at;
  ADD_FAILURE() << what << " of " << tprt_dtype_name(dtype) << ": element " << at / size << " of "
                << found.size() / size << " differs";
}

} // namespace

TEST_P(Collectives, AllReduce) {
  expectNoFailure([&](tprt_context &ctx) -> tprt_status_t {
    Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
    for (int32_t dtype : kDTypes)
      for (int32_t kind = TPRT_SUM; kind <= TPRT_MINNUM; ++kind)
        for (int64_t count : countsFor(dtype, 1)) {
          if (!isTested(kind, dtype))
            continue;
          const Bytes &expected = reduced(kind, dtype, group.ranks, count);
          const Bytes &mine = operand(dtype, ctx.rank, count);
          const DeviceVector source(ctx, mine), result(ctx, unset(expected));
          CHECK_CALL(
              tprt_all_reduce(&ctx, 0, 0, 0, kind, dtype, source.data(), result.data(), count));
          expectBytes(result.read(), expected, dtype, tprt_reduction_name(kind));
          EXPECT_EQ(source.read(), mine) << "the operand was changed";
          // In place.
          CHECK_CALL(
              tprt_all_reduce(&ctx, 1, 0, 0, kind, dtype, source.data(), source.data(), count));
          CHECK_CALL(tprt_wait(&ctx, 0, 1));
          expectBytes(source.read(), expected, dtype, tprt_reduction_name(kind));
        }
    return TPRT_OK;
  });
}

TEST_P(Collectives, AllGather) {
  expectNoFailure([&](tprt_context &ctx) -> tprt_status_t {
    Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
    for (int32_t dtype : kDTypes)
      for (int64_t outer : rowsFor(dtype))
        for (int64_t inner : countsFor(dtype, outer)) {
          size_t row = size_t(inner * tprt_dtype_size(dtype));
          Bytes expected;
          for (int64_t i = 0; i < outer; ++i)
            for (int rank : group.ranks) {
              const Bytes &part = operand(dtype, rank, outer * inner);
              expected.insert(expected.end(), part.begin() + i * row, part.begin() + (i + 1) * row);
            }
          const DeviceVector mine(ctx, operand(dtype, ctx.rank, outer * inner)),
              result(ctx, unset(expected));
          CHECK_CALL(
              tprt_all_gather(&ctx, 0, 0, 0, dtype, mine.data(), result.data(), outer, inner));
          expectBytes(result.read(), expected, dtype, "all_gather");
        }
    return TPRT_OK;
  });
}

TEST_P(Collectives, ReduceScatter) {
  expectNoFailure([&](tprt_context &ctx) -> tprt_status_t {
    Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
    for (int32_t dtype : kDTypes)
      for (int32_t kind : {TPRT_SUM, TPRT_MAX, TPRT_MIN, TPRT_XOR})
        for (int64_t outer : rowsFor(dtype))
          for (int64_t inner : countsFor(dtype, outer * group.size())) {
            if (!isTested(kind, dtype))
              continue;
            int64_t count = outer * group.size() * inner;
            const DeviceVector mine(ctx, operand(dtype, ctx.rank, count));
            const Bytes &sum = reduced(kind, dtype, group.ranks, count);
            Bytes expected;
            size_t row = size_t(inner * tprt_dtype_size(dtype));
            for (int64_t i = 0; i < outer; ++i) {
              auto begin = sum.begin() + (i * group.size() + group.index) * row;
              expected.insert(expected.end(), begin, begin + row);
            }
            const DeviceVector result(ctx, unset(expected));
            CHECK_CALL(tprt_reduce_scatter(&ctx, 0, 0, 0, kind, dtype, mine.data(), result.data(),
                                           outer, inner));
            expectBytes(result.read(), expected, dtype, "reduce_scatter");
          }
    return TPRT_OK;
  });
}

TEST_P(Collectives, AllToAll) {
  expectNoFailure([&](tprt_context &ctx) -> tprt_status_t {
    Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
    for (int32_t dtype : kDTypes)
      for (int64_t count : countsFor(dtype, group.size())) {
        size_t row = size_t(count * tprt_dtype_size(dtype));
        Bytes expected;
        const DeviceVector mine(ctx, operand(dtype, ctx.rank, group.size() * count));
        for (int rank : group.ranks) {
          const Bytes &part = operand(dtype, rank, group.size() * count);
          expected.insert(expected.end(), part.begin() + group.index * row,
                          part.begin() + (group.index + 1) * row);
        }
        const DeviceVector result(ctx, unset(expected));
        CHECK_CALL(tprt_all_to_all(&ctx, 0, 0, 0, dtype, mine.data(), result.data(), count));
        expectBytes(result.read(), expected, dtype, "all_to_all");
      }
    return TPRT_OK;
  });
}

TEST_P(Collectives, Permute) {
  expectNoFailure([&](tprt_context &ctx) -> tprt_status_t {
    Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
    // A ring, a shift that leaves the first member with zeros, and one source
    // for all.
    std::vector<std::vector<int32_t>> tables(3);
    for (int i = 0; i < group.size(); ++i) {
      tables[0].push_back((i + group.size() - 1) % group.size());
      tables[1].push_back(i - 1);
      tables[2].push_back(group.size() - 1);
    }
    for (int32_t dtype : kDTypes)
      for (int64_t count : countsFor(dtype, 1))
        for (const std::vector<int32_t> &table : tables) {
          int32_t from = table[size_t(group.index)];
          Bytes expected(size_t(count * tprt_dtype_size(dtype)), 0);
          if (from >= 0)
            expected = operand(dtype, group.ranks[size_t(from)], count);
          const DeviceVector mine(ctx, operand(dtype, ctx.rank, count)),
              result(ctx, unset(expected));
          CHECK_CALL(
              tprt_permute(&ctx, 0, 0, 0, dtype, mine.data(), result.data(), count, table.data()));
          expectBytes(result.read(), expected, dtype, "permute");
        }
    return TPRT_OK;
  });
}

TEST_P(Collectives, BesideEachOther) {
  expectNoFailure([&](tprt_context &ctx) -> tprt_status_t {
    Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
    const int64_t count = 5;
    const Bytes &mine = operand(TPRT_F32, ctx.rank, count);
    const Bytes &sum = reduced(TPRT_SUM, TPRT_F32, group.ranks, count);
    Bytes all;
    for (int rank : group.ranks) {
      const Bytes &part = operand(TPRT_F32, rank, count);
      all.insert(all.end(), part.begin(), part.end());
    }
    const DeviceVector inPlace(ctx, mine), source(ctx, mine), gathered(ctx, unset(all)),
        copy(ctx, unset(mine));
    // Twice on the same streams, and waited for in another order than they began.
    for (int i = 0; i < 2; ++i) {
      CHECK_CALL(tprt_all_reduce(&ctx, 2, 0, 0, TPRT_SUM, TPRT_F32, inPlace.data(), inPlace.data(),
                                 count));
      CHECK_CALL(
          tprt_all_gather(&ctx, 1, 0, 0, TPRT_F32, source.data(), gathered.data(), 1, count));
      CHECK_CALL(tprt_wait(&ctx, 0, 1));
      CHECK_CALL(tprt_copy(&ctx, 0, 0, gathered.data(), copy.data(), int64_t(mine.size())));
      CHECK_CALL(tprt_wait(&ctx, 0, 2));
      if (i == 0) {
        expectBytes(inPlace.read(), sum, TPRT_F32, "all_reduce");
        CHECK_CALL(tprt_copy(&ctx, 0, 0, source.data(), inPlace.data(), int64_t(mine.size())));
      }
    }
    CHECK_CALL(tprt_wait(&ctx, 0, 3)); // nothing
    expectBytes(inPlace.read(), sum, TPRT_F32, "all_reduce");
    expectBytes(gathered.read(), all, TPRT_F32, "all_gather");
    expectBytes(copy.read(), operand(TPRT_F32, group.ranks[0], count), TPRT_F32, "copy");
    return TPRT_OK;
  });
}

TEST_P(Collectives, ManySmallOnesInARowWithJitter) {
  RunSpec spec = this->spec();
  spec.options.jitter = true;
  spec.options.jitterSeed = 7;
  Failure failure = backend().run(
      spec,
      [&](tprt_context &ctx) -> tprt_status_t {
        Group group = referenceGroup(shape().mesh, shape().group, ctx.rank);
        for (int64_t step = 0; step < 50; ++step) {
          const DeviceVector value(ctx, std::vector<int64_t>(3, step * 100 + ctx.rank));
          const DeviceVector sum(ctx, std::vector<int64_t>(3));
          int64_t expected = 0;
          for (int rank : group.ranks)
            expected += step * 100 + rank;
          CHECK_CALL(
              tprt_all_reduce(&ctx, 0, 0, 0, TPRT_SUM, TPRT_I64, value.data(), sum.data(), 3));
          EXPECT_EQ(sum.read(), std::vector<int64_t>(3, expected));
        }
        return TPRT_OK;
      },
      3);
  EXPECT_EQ(failure.status, TPRT_OK) << failure.message;
}

INSTANTIATE_TEST_SUITE_P(, Collectives,
                         testing::Combine(testing::Range<size_t>(0, allBackends().size()),
                                          testing::Range<size_t>(0, shapes().size())),
                         [](const testing::TestParamInfo<Param> &info) {
                           return std::string(allBackends()[std::get<0>(info.param)].name) + "_" +
                                  shapes()[std::get<1>(info.param)].name;
                         });
