//===- ParametersTest.cpp - loading checkpoints ---------------------------===//

#include "tprt/parameters.h"
#include "Checkpoints.h"
#include "Errors.h"
#include "TempDir.h"
#include "TestModule.h"
#include "core/Safetensors.h"
#include "tprt/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tprt;
using namespace tprt_test;

namespace {

tprt_status_t doNothing(tprt_context_t *, void *const *) { return TPRT_OK; }

/// The global value of one parameter after loading it on a mesh.
Array loadOne(const TempDir &dir, const TestValue &parameter, std::vector<int64_t> mesh = {2}) {
  TestModule module(std::move(mesh), {{"main", doNothing, {parameter}, {}}});
  SessionOptions options;
  options.weights = dir.path();
  Session session(module.module(), options);
  return session.argument(0, 0);
}

/// The message of a failure to load, with its notes; the exit code must be 2.
std::string loadError(const TempDir &dir, const TestValue &parameter) {
  return errorOf([&] { loadOne(dir, parameter); });
}

double element(const Array &array, int64_t index) {
  const Bytes bytes(array.data.begin(), array.data.end());
  return array.dtype <= TPRT_BF16 ? getFloat(array.dtype, bytes, index)
                                  : double(getInteger(array.dtype, bytes, index));
}

TestValue parameter(std::vector<int64_t> shape, std::vector<std::vector<int>> axes,
                    const std::string &dtype = "f32", const std::string &extra = "") {
  return {"w", "parameter", dtype, std::move(shape), std::move(axes), extra};
}

} // namespace

TEST(Parameters, EveryTypeSharded) {
  for (int32_t dtype :
       {TPRT_F64, TPRT_F32, TPRT_F16, TPRT_BF16, TPRT_I64, TPRT_I32, TPRT_I16, TPRT_I8, TPRT_I1}) {
    TempDir dir;
    dir.write("model.safetensors", safetensorsFile({makeTensor("w", dtype, {7, 5})}));
    for (const auto &axes : std::vector<std::vector<std::vector<int>>>{
             {{}, {}}, {{0}, {}}, {{}, {0}}, {{0}, {1}}, {{1, 0}, {}}}) {
      const Array array = loadOne(dir, parameter({7, 5}, axes, tprt_dtype_name(dtype)), {2, 3});
      for (int64_t i = 0; i < 35; ++i)
        ASSERT_EQ(element(array, i), tensorElement(dtype, i)) << tprt_dtype_name(dtype);
    }
  }
}

TEST(Parameters, LargeTensorsAreReadInPieces) {
  // 1100 x 1200 f32 is more than one piece; columns of one rank lie apart.
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {1100, 1200})}));
  for (const auto &axes :
       std::vector<std::vector<std::vector<int>>>{{{}, {}}, {{0}, {}}, {{}, {0}}}) {
    const Array array = loadOne(dir, parameter({1100, 1200}, axes), {3});
    for (int64_t i = 0; i < array.count(); ++i)
      ASSERT_EQ(array.as<float>()[i], tensorElement(TPRT_F32, i)) << i;
    // Converted, so never read in place.
    const Array wide =
        loadOne(dir, parameter({1100, 1200}, axes, "f64", R"("source": {"tensor": "w",
                "shape": [1100, 1200], "dtype": "f32"})"),
                {3});
    for (int64_t i = 0; i < wide.count(); ++i)
      ASSERT_EQ(wide.as<double>()[i], tensorElement(TPRT_F32, i)) << i;
  }
}

TEST(Parameters, LargeTransposedTensor) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {1500, 1400})}));
  const Array array = loadOne(dir, parameter({1400, 1500}, {{0}, {}}, "f32", R"("source": {
      "tensor": "w", "shape": [1500, 1400], "permutation": [1, 0]})"),
                              {5});
  for (int64_t i = 0; i < 1400; ++i)
    for (int64_t j = 0; j < 1500; ++j)
      ASSERT_EQ(array.as<float>()[i * 1500 + j], tensorElement(TPRT_F32, j * 1400 + i));
}

TEST(Parameters, SlicePermuteReshape) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("qkv", TPRT_F32, {12, 10})}));
  // Rows 4..10 of 12, columns 2..8, as [2, 3, 6]: a reshape with strides.
  Array array = loadOne(dir, parameter({2, 3, 6}, {{}, {0}, {}}, "f32", R"("source": {
      "tensor": "qkv", "shape": [12, 10], "offset": [4, 2], "size": [6, 6]})"));
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j = 0; j < 6; ++j)
      EXPECT_EQ(array.as<float>()[i * 6 + j], tensorElement(TPRT_F32, (i + 4) * 10 + j + 2));
  // Transposed, then dimensions merged: the reshape has no strides.
  array = loadOne(dir, parameter({4, 9}, {{0}, {}}, "f32", R"("source": {
      "tensor": "qkv", "shape": [12, 10], "offset": [4, 2], "size": [6, 6],
      "permutation": [1, 0]})"));
  for (int64_t i = 0; i < 36; ++i)
    EXPECT_EQ(array.as<float>()[i], tensorElement(TPRT_F32, (i % 6 + 4) * 10 + i / 6 + 2));
  // Merged without a permutation, and sizes of one here and there.
  array = loadOne(dir, parameter({1, 60, 1, 2}, {{}, {0}, {}, {}}, "f32", R"("source": {
      "tensor": "qkv", "shape": [12, 10]})"));
  for (int64_t i = 0; i < 120; ++i)
    EXPECT_EQ(array.as<float>()[i], tensorElement(TPRT_F32, i));
}

TEST(Parameters, PartOfAFusedTensor) {
  TempDir dir;
  // Per head one row each of query, key and value, 5 heads of 2 rows, 3 columns.
  dir.write("model.safetensors", safetensorsFile({makeTensor("qkv", TPRT_F32, {30, 3})}));
  for (const auto &axes : std::vector<std::vector<std::vector<int>>>{
           {{0}, {}, {}}, {{}, {0}, {}}, {{}, {}, {0}}, {{1, 0}, {}, {}}}) {
    const Array array = loadOne(dir, parameter({5, 2, 3}, axes, "f32", R"("source": {
        "tensor": "qkv", "shape": [30, 3], "view": [5, 3, 2, 3], "offset": [0, 1, 0, 0],
        "size": [5, 1, 2, 3]})"),
                                {2, 3});
    for (int64_t head = 0; head < 5; ++head)
      for (int64_t i = 0; i < 6; ++i)
        EXPECT_EQ(array.as<float>()[head * 6 + i], tensorElement(TPRT_F32, (head * 3 + 1) * 6 + i));
  }
  // Transposed as well: the columns of the last rows, [3, 5, 1, 2].
  const Array array = loadOne(dir, parameter({3, 5, 1, 2}, {{}, {0}, {}, {}}, "f32", R"("source": {
      "tensor": "qkv", "shape": [30, 3], "view": [5, 3, 2, 3], "offset": [0, 2, 0, 0],
      "size": [5, 1, 2, 3], "permutation": [3, 0, 1, 2]})"));
  for (int64_t column = 0; column < 3; ++column)
    for (int64_t i = 0; i < 10; ++i)
      EXPECT_EQ(array.as<float>()[column * 10 + i],
                tensorElement(TPRT_F32, ((i / 2 * 3 + 2) * 2 + i % 2) * 3 + column));
}

TEST(Parameters, ScalarsAndEmptyTensors) {
  TempDir dir;
  dir.write("model.safetensors",
            safetensorsFile({makeTensor("w", TPRT_F32, {}), makeTensor("e", TPRT_F32, {0, 3})}));
  EXPECT_EQ(loadOne(dir, parameter({}, {})).as<float>()[0], tensorElement(TPRT_F32, 0));
  TestValue empty = parameter({0, 3}, {{0}, {}});
  empty.name = "e";
  EXPECT_EQ(loadOne(dir, empty).count(), 0);
}

TEST(Parameters, MoreRanksThanRowsAndPaddingIsZero) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {5, 2})}));
  static float seen[4][4]; // local buffers [2, 2] of 4 ranks
  auto look = [](tprt_context_t *ctx, void *const *buffers) -> tprt_status_t {
    std::memcpy(seen[tprt_coordinate(ctx, 0)], buffers[0], sizeof(seen[0]));
    return TPRT_OK;
  };
  TestModule module({4}, {{"main", look, {parameter({5, 2}, {{0}, {}})}, {}}});
  SessionOptions options;
  options.weights = dir.path();
  Session session(module.module(), options);
  session.call(0);
  for (int rank = 0; rank < 4; ++rank)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(seen[rank][i], rank * 4 + i < 10 ? tensorElement(TPRT_F32, rank * 4 + i) : 0);
}

TEST(Parameters, StatedConversions) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_BF16, {9})}));
  // Widening loses nothing and needs no statement.
  Array array = loadOne(dir, parameter({9}, {{0}}));
  for (int64_t i = 0; i < 9; ++i)
    EXPECT_EQ(array.as<float>()[i], tensorElement(TPRT_BF16, i));

  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {9})}));
  array = loadOne(dir, parameter({9}, {{0}}, "bf16", R"("source": {"tensor": "w", "shape": [9],
                  "dtype": "f32"})"));
  for (int64_t i = 0; i < 9; ++i)
    EXPECT_EQ(element(array, i), tensorElement(TPRT_F32, i));
  EXPECT_PART(loadError(dir, parameter({9}, {{0}}, "bf16")),
              "tensor 'w' has the wrong type: expected bf16, found f32");
}

TEST(Parameters, SeveralFilesWithAnIndex) {
  TempDir dir;
  dir.write("a.safetensors", safetensorsFile({makeTensor("x", TPRT_F32, {3})}));
  dir.write("b.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {4})}));
  dir.write("model.safetensors.index.json",
            R"({"metadata": {}, "weight_map": {"x": "a.safetensors", "w": "b.safetensors"}})");
  EXPECT_EQ(loadOne(dir, parameter({4}, {{0}})).as<float>()[3], tensorElement(TPRT_F32, 3));

  dir.write("model.safetensors.index.json", R"({"weight_map": {"w": "a.safetensors"}})");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "a.safetensors: has no tensor 'w', which " +
                                                        dir.file("model.safetensors.index.json") +
                                                        " says is there");
  dir.write("model.safetensors.index.json", R"({"weight_map": {"w": "c.safetensors"}})");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "c.safetensors: cannot be read: No such file");
  dir.write("model.safetensors.index.json",
            R"({"weight_map": {"w": "a.safetensors", "w": "b.safetensors"}})");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "index.json: corrupt: duplicate key \"w\"");
  dir.write("model.safetensors.index.json", R"({"weight_map": 3})");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "\"weight_map\" must be an object");
  dir.write("model.safetensors.index.json", R"({"weight_map": {"w": 3}})");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})),
              "tensor 'w': expected the name of a file in the same directory, found ");
  dir.write("model.safetensors.index.json", R"({"weight_map": {"w": "../b.safetensors"}})");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "tensor 'w': expected the name of a file");
  dir.write("model.safetensors.index.json", "[]");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "\"weight_map\" must be an object");
  dir.write("model.safetensors.index.json", "{");
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "model.safetensors.index.json");
}

TEST(Parameters, MissingFilesAndTensors) {
  TempDir dir;
  const TestValue w = parameter({4}, {{}});
  EXPECT_PART(loadError(dir, w),
              "holds neither model.safetensors nor model.safetensors.index.json");
  dir.write("model.safetensors", safetensorsFile({makeTensor("model.w", TPRT_F32, {4}),
                                                  makeTensor("zz", TPRT_F32, {4})}));
  const std::string message = loadError(dir, w);
  EXPECT_PART(message, "model.safetensors: no tensor 'w' (wanted by parameter 'w')");
  EXPECT_PART(message, "near name: 'model.w'");
  TestModule module({1}, {{"main", doNothing, {w}, {}}});
  SessionOptions options;
  options.weights = dir.file("nowhere");
  EXPECT_THROW(Session(module.module(), options), Error);
}

TEST(Parameters, DirectoryInPlaceOfAFile) {
  TempDir dir;
  dir.write("model.safetensors.index.json", R"({"weight_map": {"w": "d.safetensors"}})");
  std::filesystem::create_directory(dir.file("d.safetensors"));
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "d.safetensors: is no regular file");
}

TEST(Parameters, WrongShapeOrType) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {4, 3})}));
  EXPECT_PART(loadError(dir, parameter({3, 4}, {{}, {}})),
              "tensor 'w' has the wrong shape: expected [3, 4], found [4, 3]");
  EXPECT_PART(loadError(dir, parameter({4, 3}, {{}, {}}, "i32")), "expected i32, found f32");
  EXPECT_PART(loadError(dir, parameter({4, 3}, {{}, {}}, "i32", R"("source": {"tensor": "w",
                  "shape": [4, 3], "dtype": "f32"})")),
              "of type f32 cannot be converted to i32");
  dir.write("model.safetensors",
            safetensorsFile(R"({"w": {"dtype": "F8_E4M3", "shape": [4], "data_offsets": [0, 4]}})",
                            "abcd"));
  EXPECT_PART(loadError(dir, parameter({4}, {{}})), "expected f32, found F8_E4M3");
}

TEST(Parameters, CorruptFiles) {
  TempDir dir;
  const TestValue w = parameter({4}, {{}});
  const std::string good = safetensorsFile({makeTensor("w", TPRT_F32, {4})});
  auto errorOf = [&](const std::string &content) {
    dir.write("model.safetensors", content);
    const std::string message = loadError(dir, w);
    EXPECT_PART(message, "model.safetensors");
    return message;
  };
  EXPECT_PART(errorOf(""), "truncated");
  EXPECT_PART(errorOf(good.substr(0, 5)), "truncated: 5 bytes are no safetensors file");
  EXPECT_PART(errorOf(good.substr(0, 20)), "truncated: the header has 96 bytes, the file 20");
  EXPECT_PART(errorOf(good.substr(0, good.size() - 1)),
              "tensor 'w' ends at byte 16 of the data, which has 15 (truncated or corrupt file)");
  EXPECT_PART(errorOf(std::string(8, '\xff') + "{}"),
              "header is too long: 18446744073709551615 bytes, at most 104857600 are allowed (is "
              "it a safetensors file?)");
  EXPECT_PART(errorOf(safetensorsFile("{]", "")),
              "corrupt header: parse error at line 1, column 2: ");
  EXPECT_PART(errorOf(safetensorsFile("[]", "")), "corrupt header: it is no JSON object");
  EXPECT_PART(errorOf(safetensorsFile(R"({"w": {}})", "")),
              "corrupt header: tensor 'w' needs \"dtype\", a text, \"shape\" and \"data_offsets\"");
  EXPECT_PART(errorOf(safetensorsFile(R"({"w": 1})", "")), "corrupt header: tensor 'w' needs ");
  EXPECT_PART(errorOf(safetensorsFile("{\"w\xff\": 1}", "")), "corrupt header");
  EXPECT_PART(errorOf(safetensorsFile(
                  R"({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
                      "\u0077": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}})",
                  "0123456789abcdef")),
              "corrupt header: duplicate key \"w\"");
  EXPECT_PART(errorOf(safetensorsFile(std::string(1000000, '['), "")), "nested too deeply");
  // What is behind a zero byte stays part of the message.
  EXPECT_PART(errorOf(safetensorsFile(
                  R"({"w\u0000x": {"dtype": "F32", "shape": 4, "data_offsets": []}})", "")),
              "tensor 'w?x': shape: expected an array of integers, found 4");
  auto withMembers = [&](const char *members) {
    return errorOf(safetensorsFile(std::string("{\"w\": {") + members + "}}", "0123456789abcdef"));
  };
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [4], "data_offsets": [4, 20])"),
              "ends at byte 20");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [4], "data_offsets": [8, 4])"),
              "tensor 'w' has invalid data_offsets");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [4], "data_offsets": [-4, 12])"),
              "data_offsets");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [4], "data_offsets": [0])"), "data_offsets");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [4.5], "data_offsets": [0, 16])"),
              "expected an array of integers, found [4.5]");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [4.0], "data_offsets": [0, 16])"),
              "expected an array of integers, found [4.0]");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [3], "shape": [4], "data_offsets": [0, 16])"),
              "corrupt header: duplicate key \"shape\"");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [3], "data_offsets": [0, 12])"),
              "the tensors have 12 bytes of data, the file has 16");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [3], "data_offsets": [4, 16])"),
              "tensor 'w' begins at byte 4 of the data, expected 0 (tensors have gaps or overlap)");
  EXPECT_PART(
      errorOf(safetensorsFile(R"({"v": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]},
                                        "w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}})",
                              "0123456789abcdef")),
      "tensor 'w' begins at byte 0 of the data, expected 12");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [5], "data_offsets": [0, 16])"),
              "tensor 'w' of type F32 and shape [5] needs 20 bytes, its data_offsets give 16");
  EXPECT_PART(withMembers(R"("dtype": "F32", "shape": [-4], "data_offsets": [0, 16])"),
              "tensor 'w' has an impossible shape [-4]");
  EXPECT_PART(
      withMembers(R"("dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 16])"),
      "impossible shape");
  EXPECT_PART(withMembers(R"("dtype": 3, "shape": [4], "data_offsets": [0, 16])"),
              "corrupt header");
}

TEST(Parameters, FileThatShrinksWhileItIsOpen) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {1000})}));
  const SafetensorsFile file(dir.file("model.safetensors"));
  const TensorEntry &tensor = file.tensors().at("w");
  std::filesystem::resize_file(dir.file("model.safetensors"), uintmax_t(tensor.begin + 100));
  std::vector<char> data(4000);
  EXPECT_NO_THROW(file.read(tensor, 0, data.data(), 100));
  try {
    file.read(tensor, 0, data.data(), 4000);
    ADD_FAILURE() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.exitCode(), kExitBadInput);
    EXPECT_PART(error.what(), "model.safetensors: truncated while it was read: tensor 'w' ends at "
                              "byte 4109, the file ended at byte 209");
  }
}

TEST(Parameters, GlobalValuesAreThoseOfASession) {
  TempDir dir;
  dir.write("model.safetensors", safetensorsFile({makeTensor("w", TPRT_F32, {7, 5})}));
  const TestValue w = parameter({7, 5}, {{0}, {}});
  TestModule module({3}, {{"main", doNothing, {w}, {}}});
  for (bool fromFile : {true, false}) {
    SessionOptions options;
    options.randomSeed = 9;
    if (fromFile)
      options.weights = dir.path();
    Session session(module.module(), options);
    const std::vector<Array> values = loadGlobalParameters(
        {session.manifest().entries[0].arguments[0]}, options.weights, options.randomSeed);
    ASSERT_EQ(values.size(), 1u);
    EXPECT_EQ(values[0].shape, (std::vector<int64_t>{7, 5}));
    EXPECT_EQ(values[0].data, session.argument(0, 0).data);
  }
}

TEST(Parameters, RandomOnesDependOnNameSeedAndIndexOnly) {
  const TestValue w = parameter({17, 25}, {{0}, {1}});
  auto randomOne = [&](std::vector<int64_t> mesh, uint64_t seed, const std::string &name) {
    TestValue value = w;
    value.name = name;
    TestModule module(std::move(mesh), {{"main", doNothing, {value}, {}}});
    SessionOptions options;
    options.randomSeed = seed;
    Session session(module.module(), options);
    return session.argument(0, 0);
  };
  const Array one = randomOne({1, 1}, 5, "w");
  EXPECT_EQ(one.data, randomOne({3, 2}, 5, "w").data);
  EXPECT_EQ(one.data, randomOne({2, 4}, 5, "w").data);
  EXPECT_NE(one.data, randomOne({1, 1}, 6, "w").data);
  EXPECT_NE(one.data, randomOne({1, 1}, 5, "v").data);
  double sum = 0, largest = 0;
  for (int64_t i = 0; i < one.count(); ++i) {
    sum += one.as<float>()[i];
    largest = std::max(largest, std::fabs(double(one.as<float>()[i])));
  }
  EXPECT_LE(largest, 0.2); // 1 / sqrt(25)
  EXPECT_GT(largest, 0.15);
  EXPECT_LT(std::fabs(sum / double(one.count())), 0.02);
}

namespace {
/// Mean and variance of a random parameter.
std::pair<double, double> momentsOf(const Array &array) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < array.count(); ++i) {
    sum += array.as<float>()[i];
    squares += double(array.as<float>()[i]) * array.as<float>()[i];
  }
  const double mean = sum / double(array.count());
  return {mean, squares / double(array.count()) - mean * mean};
}
} // namespace

TEST(Parameters, RandomOnesLikeThoseOfAModel) {
  auto randomOne = [&](const std::string &name, std::vector<int64_t> shape, int workers,
                       std::vector<int64_t> mesh = {1}) {
    std::vector<std::vector<int>> sharding(shape.size());
    sharding[0] = {0};
    TestValue value = parameter(std::move(shape), std::move(sharding));
    value.name = name;
    TestModule module(std::move(mesh), {{"main", doNothing, {value}, {}}});
    SessionOptions options;
    options.randomSeed = 5;
    options.likeModel = true;
    options.workers = workers;
    Session session(module.module(), options);
    return session.argument(0, 0);
  };
  const Array matrix = randomOne("w", {403, 251}, 1);
  const auto [mean, variance] = momentsOf(matrix);
  EXPECT_NEAR(mean, 0, 1e-3);
  EXPECT_NEAR(variance * 251, 1, 2e-2); // columns keep the size of what they are multiplied by
  EXPECT_EQ(matrix.data, randomOne("w", {403, 251}, 3).data);
  EXPECT_EQ(matrix.data, randomOne("w", {403, 251}, 2, {3}).data);
  const auto [normMean, normVariance] = momentsOf(randomOne("norm.weight", {5000}, 1));
  EXPECT_NEAR(normMean, 1, 2e-2);
  EXPECT_NEAR(normVariance, 1.0 / 12, 5e-3);
  const auto [biasMean, biasVariance] = momentsOf(randomOne("q_proj.bias", {5000}, 1));
  EXPECT_NEAR(biasMean, 0, 2e-2);
  EXPECT_NEAR(biasVariance, 1.0 / 12, 5e-3);
}
