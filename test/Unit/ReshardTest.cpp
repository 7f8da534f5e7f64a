//===- ReshardTest.cpp - Every reshard of small values ---------------------===//
//
// All pairs of shardings of rank <= 3 on small meshes, at sizes that divide and
// that do not: the emitted collectives run in the reference interpreter, with
// poisoned padding, and must rebuild the same global value; what they send is
// compared with what must be sent, and the largest value on the way with the ends.
//
// The default run takes every n-th pair, granules of two among them; with
// TP_TEST_ALL in the environment all pairs of whole axes, one of each class of
// pairs that are the same but for the names of dimensions and equal axes. With
// TP_RESHARD_TABLE=FILE the tables are appended to FILE: docs/reference/ReshardExcess.md.
//
//===----------------------------------------------------------------------===//

#include "ReshardRunner.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

#include <chrono>
#include <map>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

namespace {

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Every way to use these parts: each cuts a dimension (in every order), is
/// partial by one of the kinds, or is not used.
void forEachUse(ArrayRef<AxisPart> parts, unsigned rank, ArrayRef<ReductionKind> kinds,
                Sharding &sharding, llvm::function_ref<void(const Sharding &)> visit) {
  if (parts.empty())
    return visit(sharding);
  const AxisPart &part = parts.front();
  ArrayRef<AxisPart> rest = parts.drop_front();
  forEachUse(rest, rank, kinds, sharding, visit);
  for (unsigned d = 0; d < rank; ++d)
    for (unsigned at = 0; at <= sharding.dims[d].cuts.size(); ++at) {
      auto &cuts = sharding.dims[d].cuts;
      cuts.insert(cuts.begin() + at, Cut{part, 1});
      forEachUse(rest, rank, kinds, sharding, visit);
      cuts.erase(cuts.begin() + at);
    }
  for (ReductionKind kind : kinds) {
    Sharding partial = sharding;
    partial.addPartial(kind, part);
    forEachUse(rest, rank, kinds, partial, visit);
  }
}

/// A mesh, and the ways in which its axes are parted.
struct MeshCase {
  const char *name;
  Mesh mesh;
  SmallVector<SmallVector<AxisPart>> parts;
};

MeshCase makeCase(const char *name, std::initializer_list<std::pair<const char *, int64_t>> axes,
                  std::initializer_list<std::pair<int64_t, int64_t>> halves = {}) {
  MeshCase result{name, makeMesh(axes), {{}}};
  for (unsigned axis = 0; axis < result.mesh.numAxes(); ++axis)
    result.parts[0].push_back({axis, 1, result.mesh.sizes[axis]});
  for (auto [major, minor] : halves)
    result.parts.push_back({{0, 1, major}, {0, major, minor}});
  return result;
}

/// All shardings of values of this rank; with `granules` also those of which a
/// dimension is cut first in units of two.
std::vector<Sharding> getShardings(const MeshCase &mesh, unsigned rank, bool granules) {
  std::vector<Sharding> shardings;
  for (ArrayRef<AxisPart> parts : mesh.parts) {
    Sharding start(rank);
    forEachUse(parts, rank, {ReductionKind::Sum, ReductionKind::Max}, start,
               [&](const Sharding &s) {
                 if (!llvm::is_contained(shardings, s))
                   shardings.push_back(s);
                 for (unsigned d = 0; granules && d < rank; ++d)
                   if (!s.dims[d].cuts.empty()) {
                     shardings.push_back(s);
                     shardings.back().dims[d].cuts.front().granule = 2;
                   }
               });
  }
  return shardings;
}

/// Whether the pair is the one of its class that is run: dimensions of one value
/// change places, and axes of one size do, without anything else changing.
bool isRepresentative(const MeshCase &mesh, ArrayRef<int64_t> shape, const Sharding &from,
                      const Sharding &to) {
  using Key = std::vector<std::vector<int64_t>>;
  auto keyOf = [&](ArrayRef<unsigned> axes) {
    Key key;
    for (unsigned d = 0; d < shape.size(); ++d) {
      std::vector<int64_t> dim{shape[d]};
      for (const Sharding *side : {&from, &to}) {
        dim.push_back(-1);
        for (const Cut &cut : side->dims[d].cuts)
          dim.insert(dim.end(), {axes[cut.part.axis], cut.part.pre, cut.part.size, cut.granule});
      }
      key.push_back(dim);
    }
    return key;
  };
  auto partialOf = [&](ArrayRef<unsigned> axes) {
    Key key;
    for (const Sharding *side : {&from, &to}) {
      key.emplace_back();
      for (const PartialAxis &p : side->partial)
        key.push_back({static_cast<int64_t>(p.kind), axes[p.part.axis], p.part.pre, p.part.size});
      std::sort(key.begin(), key.end());
    }
    return key;
  };
  SmallVector<unsigned> axes = llvm::to_vector(llvm::seq<unsigned>(0, mesh.mesh.numAxes()));
  Key own = keyOf(axes), partial = partialOf(axes);
  if (!std::is_sorted(own.begin(), own.end()))
    return false;
  if (!llvm::all_equal(mesh.mesh.sizes))
    return true;
  while (std::next_permutation(axes.begin(), axes.end())) {
    Key other = keyOf(axes);
    std::sort(other.begin(), other.end());
    if (std::make_pair(other, partialOf(axes)) < std::make_pair(own, partial))
      return false;
  }
  return true;
}

/// Bytes that must be sent. A rank must get what it wants and has not. Where
/// shares are to be reduced, each element is sent once for every share but one and
/// once for every rank that wants it but one: that many on average, at least.
/// Nothing where shares may stay shares on other axes. Both shardings have the
/// axes parted alike.
std::optional<int64_t> getBound(const Mesh &mesh, ArrayRef<int64_t> shape, const Sharding &from,
                                const Sharding &to) {
  int64_t devices = mesh.numDevices(), most = 0, all = 0;
  SmallVector<AxisPart> reduced;
  for (const PartialAxis &partial : from.partial)
    if (!llvm::is_contained(to.partial, partial))
      reduced.push_back(partial.part);
  auto countOf = [](ArrayRef<ShardBlock> blocks) {
    int64_t count = 1;
    for (const ShardBlock &block : blocks)
      count *= block.size;
    return count;
  };
  int64_t shares = 1;
  for (const AxisPart &part : reduced)
    shares *= part.size;
  SmallVector<AxisPart> added;
  for (const PartialAxis &partial : to.partial)
    if (!llvm::is_contained(from.partial, partial))
      added.push_back(partial.part);
  if (shares > 1 && !added.empty())
    return std::nullopt;
  auto isHeld = [&](ArrayRef<int64_t> index, int64_t device) {
    return llvm::all_of(llvm::zip_equal(index, from.blocks(mesh, shape, device)), [](auto pair) {
      auto [i, block] = pair;
      return i >= block.offset && i < block.offset + block.size;
    });
  };
  for (int64_t device = 0; device < devices; ++device) {
    SmallVector<ShardBlock> wanted = to.blocks(mesh, shape, device);
    int64_t count = countOf(wanted);
    all += count;
    if (shares > 1) {
      most = std::max(most, count > 0 ? int64_t(1) : int64_t(0));
      continue;
    }
    // Of the ranks along new partial axes each may hold what it has, as its share.
    auto outside = [&](int64_t member) {
      SmallVector<int64_t> coordinates;
      for (unsigned axis = 0; axis < mesh.numAxes(); ++axis)
        coordinates.push_back(mesh.coordinate(member, axis));
      for (const AxisPart &part : added)
        coordinates[part.axis] -=
            part.coordinate(mesh, member) * (mesh.sizes[part.axis] / (part.pre * part.size));
      return coordinates;
    };
    SmallVector<int64_t> group;
    for (int64_t other = 0; other < devices; ++other)
      if (outside(other) == outside(device))
        group.push_back(other);
    int64_t lacking = 0;
    SmallVector<int64_t> sizes, index(wanted.size());
    for (const ShardBlock &block : wanted)
      sizes.push_back(block.size);
    (void)interp::forEachIndex(sizes, [&](ArrayRef<int64_t> at) {
      for (unsigned d = 0; d < at.size(); ++d)
        index[d] = wanted[d].offset + at[d];
      lacking += llvm::none_of(group, [&](int64_t member) { return isHeld(index, member); });
      return success();
    });
    most = std::max<int64_t>(most, llvm::divideCeil(lacking, group.size()));
  }
  if (shares == 1)
    return most * 4;
  // Every kept partial coordinate is a value of its own.
  int64_t values = 1, elements = 1;
  for (const PartialAxis &partial : to.partial)
    values *= partial.part.size;
  for (int64_t n : shape)
    elements *= n;
  int64_t sent = values * elements * (shares - 1) + all - values * elements;
  return std::max<int64_t>(llvm::divideCeil(sent * 4, devices), most * 4);
}

/// Elements of the largest value that a rank holds on the way.
int64_t getPeak(func::FuncOp function) {
  int64_t peak = 0;
  function.walk([&](Operation *op) {
    for (Value value : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        peak = std::max(peak, type.getNumElements());
  });
  return peak;
}

/// Pairs that send more than the bound, or as much, for one reason.
struct Tally {
  int64_t pairs = 0;
  double sum = 0, worst = 0;
  std::string example;

  void add(double ratio, llvm::function_ref<std::string()> describePair) {
    ++pairs;
    sum += ratio;
    if (ratio <= worst)
      return;
    worst = ratio;
    example = describePair();
  }
};

/// Why a path sends more than the bound, worst first.
std::string getReason(const ReshardPath &path, const Sharding &from, const Sharding &to,
                      ArrayRef<int64_t> shape, int64_t bound) {
  if (path.bytes <= bound)
    return "the bound";
  SmallVector<ReductionKind> kinds;
  for (const Sharding *side : {&from, &to})
    for (const PartialAxis &partial : side->partial)
      if (!llvm::is_contained(kinds, partial.kind))
        kinds.push_back(partial.kind);
  if (kinds.size() > 1)
    return "reductions of two kinds";
  bool even = path.from.isEven(shape) && llvm::all_of(path.steps, [&](const ReshardStep &step) {
                return step.after.isEven(shape);
              });
  if (path.messages > 1)
    return even ? "several collectives" : "several collectives of padded blocks";
  if (!even)
    return "padded blocks travel whole";
  if (from.isPartial())
    return "shares are reduced where they are";
  ReshardMove move = ReshardMove::Slice;
  for (const ReshardStep &step : path.steps)
    if (step.messages > 0)
      move = step.move;
  return move == ReshardMove::Permute ? "a permute sends whole blocks"
                                      : "what replicas have is sent again";
}

class AllPairs : public ::testing::TestWithParam<MeshCase> {};

TEST_P(AllPairs, SameValueAndFewBytes) {
  const MeshCase &meshCase = GetParam();
  const Mesh &mesh = meshCase.mesh;
  bool all = std::getenv("TP_TEST_ALL");
  Type f32 = Float32Type::get(&getContext());
  std::mt19937 random(1);
  // Bytes are what counts here, not the number of collectives.
  Hardware hardware;
  hardware.latency = 1e-12;
  const PaddingFact facts[] = {PaddingFact::undefined(), PaddingFact::zero(),
                               PaddingFact::neutral(ReductionKind::Max)};
  std::map<std::string, Tally> tallies;
  int64_t checked = 0, nanoseconds = 0;
  double peak = 0;
  std::string peakExample;
  for (unsigned rank = 0; rank <= 3; ++rank) {
    std::vector<Sharding> shardings = getShardings(meshCase, rank, /*granules=*/!all);
    SmallVector<SmallVector<int64_t>> shapes(1);
    for (unsigned d = 0; d < rank; ++d) {
      SmallVector<SmallVector<int64_t>> longer;
      for (const auto &shape : shapes)
        for (int64_t n : {5, 6, 8}) {
          longer.push_back(shape);
          longer.back().push_back(n);
        }
      shapes = longer;
    }
    int64_t pairs = shardings.size() * shardings.size() * shapes.size();
    int64_t stride = 1;
    // A stride without small factors meets all shapes and shardings.
    while (!all && (pairs / stride > 1500 || stride % 2 == 0 || stride % 3 == 0 || stride % 5 == 0))
      ++stride;
    for (int64_t i = 0; i < pairs; i += stride) {
      ArrayRef<int64_t> shape = shapes[i % shapes.size()];
      const Sharding &from = shardings[i / shapes.size() % shardings.size()];
      const Sharding &to = shardings[i / shapes.size() / shardings.size()];
      if (all && !isRepresentative(meshCase, shape, from, to))
        continue;
      auto type = RankedTensorType::get(shape, f32);
      auto describePair = [&](const ReshardPath &path) {
        std::string text;
        llvm::raw_string_ostream os(text);
        for (int64_t n : shape)
          os << n << (&n == &shape.back() ? " " : "x");
        os << toString(from, mesh) << " -> " << toString(to, mesh) << ": " << describe(path);
        return text;
      };
      Emitted emitted;
      ASSERT_TRUE(check(type, mesh, from, to, facts[checked % 3], random, emitted, hardware));
      ++checked;
      auto start = std::chrono::steady_clock::now();
      ReshardPath path = findReshardPath(mesh, shape, 4, from, to, hardware);
      nanoseconds += (std::chrono::steady_clock::now() - start).count();
      ASSERT_EQ(path.bytes, emitted.bytes) << toString(from, mesh) << " -> " << toString(to, mesh);
      ASSERT_EQ(path.messages, emitted.messages);
      auto elementsOf = [&](const Sharding &sharding) {
        int64_t elements = 1;
        for (int64_t n : sharding.localShape(shape))
          elements *= n;
        return elements;
      };
      int64_t larger = std::max(elementsOf(from), elementsOf(to));
      double ratio = static_cast<double>(getPeak(emitted.function)) / larger;
      if (ratio > peak)
        peak = ratio, peakExample = describePair(path);
      std::optional<int64_t> bound = getBound(
          mesh, shape, path.from, path.steps.empty() ? path.from : path.steps.back().after);
      // Nothing is replicated on the way that is not at an end.
      ASSERT_GE(path.bytes, bound.value_or(0)) << describePair(path);
      if (from.isEven(shape) && to.isEven(shape))
        for (const ReshardStep &step : path.steps)
          ASSERT_LE(elementsOf(step.after), llvm::divideCeil(larger * 5, 4)) << describePair(path);
      if (!bound)
        tallies["shares become other shares: no bound"].add(1, [&] { return describePair(path); });
      else
        tallies[getReason(path, from, to, shape, *bound)].add(
            *bound ? static_cast<double>(path.bytes) / *bound : 1,
            [&] { return describePair(path); });
    }
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "\n## Mesh " << meshCase.name << "\n\n"
     << checked << " reshards; the largest value on the way is at most "
     << llvm::format("%.2f", peak) << " times the larger end: `" << peakExample << "`\n\n"
     << "| pairs | bytes / bound, mean | worst | why | the worst |\n|---|---|---|---|---|\n";
  for (auto &[reason, tally] : tallies)
    os << "| " << tally.pairs << " | " << llvm::format("%.2f", tally.sum / tally.pairs) << " | "
       << llvm::format("%.2f", tally.worst) << " | " << reason << " | `" << tally.example
       << "` |\n";
  llvm::outs() << text << "\nsearch: " << nanoseconds / checked << " ns on average\n";
  llvm::outs().flush();
  if (const char *path = std::getenv("TP_RESHARD_TABLE")) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_Append);
    ASSERT_FALSE(error) << error.message();
    file << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Reshard, AllPairs,
                         ::testing::Values(makeCase("8", {{"x", 8}}, {{2, 4}, {4, 2}}),
                                           makeCase("2x4", {{"x", 2}, {"y", 4}}),
                                           makeCase("2x2x2", {{"x", 2}, {"y", 2}, {"z", 2}}),
                                           makeCase("3x2", {{"x", 3}, {"y", 2}})),
                         [](const auto &info) { return std::string("mesh_") + info.param.name; });

//===----------------------------------------------------------------------===//
// Larger meshes, other types
//===----------------------------------------------------------------------===//

TEST(Reshard, RandomShardingsTypesAndFacts) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  MLIRContext *context = &getContext();
  const Mesh meshes[] = {makeMesh({{"a", 3}}), makeMesh({{"a", 8}}), makeMesh({{"a", 4}, {"b", 2}}),
                         makeMesh({{"a", 2}, {"b", 1}, {"c", 4}}),
                         makeMesh({{"a", 2}, {"b", 3}, {"c", 2}})};
  const Type types[] = {Float32Type::get(context),     Float64Type::get(context),
                        IntegerType::get(context, 1),  IntegerType::get(context, 8),
                        IntegerType::get(context, 32), IndexType::get(context)};
  const PaddingFact facts[] = {PaddingFact::undefined(), PaddingFact::zero(), PaddingFact::lowest(),
                               PaddingFact::neutral(ReductionKind::Min),
                               PaddingFact::neutral(ReductionKind::Mul)};
  for (int trial = 0, trials = std::getenv("TP_TEST_ALL") ? 50000 : 4000; trial < trials; ++trial) {
    const Mesh &mesh = meshes[pick(0, std::size(meshes) - 1)];
    Type elementType = types[pick(0, std::size(types) - 1)];
    unsigned rank = pick(0, 4);
    SmallVector<int64_t> shape;
    for (unsigned d = 0; d < rank; ++d)
      shape.push_back(pick(pick(0, 30) ? 1 : 0, 9));
    Sharding from = makeSharding(mesh, rank, elementType, random);
    Sharding to = makeSharding(mesh, rank, elementType, random);
    // A latency or a bandwidth that dominates makes other paths the cheapest.
    Hardware hardware;
    hardware.latency = pick(0, 1) ? 1e-12 : 1e-6;
    Emitted emitted;
    ASSERT_TRUE(check(RankedTensorType::get(shape, elementType), mesh, from, to,
                      facts[pick(0, std::size(facts) - 1)], random, emitted, hardware))
        << "trial " << trial;
  }
}

/// Of an axis of 6, the halves of ranks and their parities are no coordinates of one group.
TEST(Reshard, PartsOfTwoOrders) {
  std::mt19937 random(1);
  Mesh mesh = makeMesh({{"x", 6}});
  const char *const shardings[] = {
      "[x:(1)2, x:(2)3]", "[_, x:(3)2]", "[x:(1)3, x:(3)2]",       "[x:(1)2, _]",
      "[x:(2)3, _]",      "[_, x]",      "[_, (x:(1)3*2, x:(3)2)]"};
  for (const char *from : shardings)
    for (const char *to : shardings) {
      Emitted emitted;
      EXPECT_TRUE(check(RankedTensorType::get({6, 6}, Float32Type::get(&getContext())), mesh,
                        parse(from, mesh, 2), parse(to, mesh, 2), PaddingFact::undefined(), random,
                        emitted))
          << from << " -> " << to;
    }
}

} // namespace
