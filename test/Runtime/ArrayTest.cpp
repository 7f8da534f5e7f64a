//===- ArrayTest.cpp - host arrays and NumPy files ------------------------===//

#include "tprt/array.h"
#include "Errors.h"
#include "Reference.h"
#include "TempDir.h"
#include "core/DType.h"
#include "core/OutputFile.h"
#include "tprt/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <unistd.h>

using namespace tprt;
using namespace tprt_test;

namespace {

Array makeArray(int32_t dtype, std::vector<int64_t> shape) {
  Array array(dtype, std::move(shape));
  const Bytes data = makeOperand(dtype, 3, array.count());
  array.data.assign(data.begin(), data.end());
  return array;
}

std::string npyFile(const std::string &header, const std::string &data) {
  std::string file = "\x93NUMPY";
  file += {'\1', '\0', char(header.size() & 0xff), char(header.size() >> 8)};
  return file + header + data;
}

} // namespace

TEST(DType, ConversionsOf16BitFloats) {
  // Every value of both formats survives the way through f32.
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const Half half{uint16_t(bits)};
    const BFloat16 bfloat{uint16_t(bits)};
    Bytes data(2);
    std::memcpy(data.data(), &bits, 2);
    const double expected = getFloat(TPRT_F16, data, 0);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(toFloat(half)));
      EXPECT_TRUE(std::isnan(toFloat(toHalf(toFloat(half)))));
    } else {
      EXPECT_EQ(double(toFloat(half)), expected);
      EXPECT_EQ(toHalf(toFloat(half)).bits, bits);
    }
    if (!std::isnan(toFloat(bfloat))) {
      EXPECT_EQ(toBFloat16(toFloat(bfloat)).bits, bits);
    }
  }
  // Rounding against the reference: values between, ties, overflow, underflow.
  Bytes expected(2);
  for (int64_t i = -40000; i < 40000; ++i)
    for (double scale : {0x1p-30, 0x1p-26, 0x1p-13, 1.0, 2.0, 0x1p10}) {
      const float value = float(double(i) * 1.0009765625 * scale);
      setFloat(TPRT_F16, expected, 0, value);
      ASSERT_EQ(std::memcmp(expected.data(), &static_cast<const Half &>(toHalf(value)).bits, 2), 0)
          << value;
      setFloat(TPRT_BF16, expected, 0, value);
      const BFloat16 rounded = toBFloat16(value);
      ASSERT_EQ(std::memcmp(expected.data(), &rounded.bits, 2), 0) << value;
    }
}

TEST(Npy, RoundTrip) {
  TempDir dir;
  for (int32_t dtype = TPRT_F64; dtype <= TPRT_INDEX; ++dtype)
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{}, {5}, {2, 3, 4}, {0, 3}, {1, 1}}) {
      const Array array = makeArray(dtype, shape);
      writeNpy(dir.file("x.npy"), array);
      const Array back = readNpy(dir.file("x.npy"));
      EXPECT_EQ(back.shape, shape);
      const bool isShort = dtype == TPRT_F16 || dtype == TPRT_BF16;
      EXPECT_EQ(back.dtype, isShort               ? int32_t(TPRT_F32)
                            : dtype == TPRT_INDEX ? int32_t(TPRT_I64)
                            : dtype == TPRT_I1    ? int32_t(TPRT_I8)
                                                  : dtype);
      const Array converted = convertArray(back, dtype, "x");
      if (isShort)
        for (int64_t i = 0; i < array.count(); ++i) {
          const Bytes a(array.data.begin(), array.data.end());
          const Bytes b(converted.data.begin(), converted.data.end());
          EXPECT_TRUE(getFloat(dtype, a, i) == getFloat(dtype, b, i) ||
                      std::isnan(getFloat(dtype, a, i)));
        }
      else
        EXPECT_EQ(converted.data, array.data);
      // Data starts at a multiple of 64 bytes.
      EXPECT_EQ((dir.read("x.npy").size() - back.data.size()) % 64, 0u);
    }
}

TEST(Npy, ReadsWhatNumPyWrites) {
  TempDir dir;
  auto read = [&](const std::string &header, const std::string &data) {
    dir.write("x.npy", npyFile(header, data));
    return readNpy(dir.file("x.npy"));
  };
  // Column-major order.
  Array array =
      read("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }\n", "\1\4\2\5\3\6");
  EXPECT_EQ(array.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::string(array.data.begin(), array.data.end()), "\1\2\3\4\5\6");
  // Booleans.
  array =
      read("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", std::string("\1\0\1", 3));
  EXPECT_EQ(array.dtype, TPRT_I1);
  EXPECT_EQ(std::string(array.data.begin(), array.data.end()), std::string("\1\0\1", 3));
  // Integers without a sign are the integers of these bits, and stay without one.
  array = read("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\xff\1");
  EXPECT_EQ(array.dtype, TPRT_I8);
  EXPECT_EQ(elementText(TPRT_I8, array.data.data(), 0), "-1");
  EXPECT_EQ(elementText(TPRT_I8, array.data.data(), 0, /*isUnsigned=*/true), "255");
  array.isUnsigned = true;
  writeNpy(dir.file("y.npy"), array);
  EXPECT_PART(dir.read("y.npy"), "'descr': '|u1'");
}

TEST(Npy, BadFiles) {
  TempDir dir;
  auto errorOfFile = [&](const std::string &content) {
    dir.write("x.npy", content);
    const std::string message = errorOf([&] { readNpy(dir.file("x.npy")); });
    EXPECT_PART(message, "x.npy");
    return message;
  };
  const std::string data(24, '\0');
  EXPECT_PART(errorOf([&] { readNpy(dir.file("none.npy")); }), "No such file");
  EXPECT_PART(errorOfFile(""), "not a NumPy file");
  EXPECT_PART(errorOfFile("PK\3\4 a zip archive"), "not a NumPy file");
  EXPECT_PART(
      errorOfFile(npyFile("{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }", data)),
      "x.npy: element type '>f4' is not supported, expected one of <f8 <f4 <f2 <i8 <i4 <i2 |i1 "
      "<u8 <u4 <u2 |u1 |b1");
  EXPECT_PART(errorOfFile(npyFile(
                  "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }", data)),
              "x.npy: not a valid NumPy file: descr is no string");
  EXPECT_PART(
      errorOfFile(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }", data)),
      "x.npy: truncated NumPy file: [7] needs 28 bytes, found 24");
  EXPECT_PART(errorOfFile(npyFile("{'fortran_order': False, 'shape': (6,), }", data)), "no descr");
  EXPECT_PART(errorOfFile(npyFile("{'descr': '<f4', 'fortran_order': False, "
                                  "'shape': (99999999999, 99999999999), }",
                                  data)),
              "x.npy: not a valid NumPy file: shape is too large");
  EXPECT_PART(errorOfFile(npyFile("{'descr': '<f4', 'fortran_order': False, "
                                  "'shape': (99999999999999999999,), }",
                                  data)),
              "x.npy: not a valid NumPy file: shape is too large");
  EXPECT_PART(errorOfFile(npyFile("{'fortran_order': False, 'shape': (6,), 'descr' }", data)),
              "x.npy: not a valid NumPy file: no value for descr");
  EXPECT_PART(errorOfFile(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)),
              "x.npy: not a valid NumPy file: header of 4294967295 bytes");
  EXPECT_PART(
      errorOfFile(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (-6,), }", data)),
      "shape is no tuple of sizes");
  EXPECT_PART(errorOfFile(npyFile("{'descr': '<f4', 'for", data).substr(0, 20)),
              "x.npy: truncated NumPy file");
}

TEST(Npy, OutputIsWholeOrAbsent) {
  TempDir dir;
  const Array array = makeArray(TPRT_F32, {1000});
  EXPECT_PART(errorOf([&] { writeNpy(dir.file("no/x.npy"), array); }), "cannot be written");
  EXPECT_PART(errorOf([&] { writeNpy(dir.path(), array); }),
              "cannot be written: it is a directory");
  EXPECT_PART(errorOf(kExitFailed, [&] { writeNpy("/dev/full", array); }), "No space left");
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  if (geteuid() != 0) {
    std::filesystem::permissions(dir.path(), std::filesystem::perms::owner_read |
                                                 std::filesystem::perms::owner_exec);
    EXPECT_PART(errorOf([&] { writeNpy(dir.file("x.npy"), array); }), "Permission denied");
    std::filesystem::permissions(dir.path(), std::filesystem::perms::owner_all);
  }
}

TEST(Npy, OutputWhosePlaceIsTakenMeanwhile) {
  TempDir dir;
  OutputFile file(dir.file("x.npy"));
  std::filesystem::create_directory(dir.file("x.npy"));
  EXPECT_PART(errorOf(kExitFailed, [&] { file.commit(); }),
              "x.npy: renaming failed: Is a directory");
}

TEST(Array, Conversions) {
  Array array(TPRT_F32, {2});
  array.as<float>()[0] = 1.00390625f; // between two bf16
  array.as<float>()[1] = -2;
  const Array rounded = convertArray(array, TPRT_BF16, "x");
  EXPECT_EQ(toFloat(rounded.as<BFloat16>()[0]), 1);
  EXPECT_EQ(toFloat(rounded.as<BFloat16>()[1]), -2);
  EXPECT_PART(errorOf([&] { convertArray(array, TPRT_I32, "--input a"); }),
              "--input a: expected elements of type i32, found f32");
  EXPECT_PART(errorOf([&] { convertArray(array, TPRT_F64, "a"); }),
              "expected elements of type f64");
  Array bytes(TPRT_I8, {3});
  bytes.data = {1, 0, 1};
  EXPECT_EQ(convertArray(bytes, TPRT_I1, "a").dtype, TPRT_I1);
  bytes.data[2] = 7;
  EXPECT_PART(errorOf([&] { convertArray(bytes, TPRT_I1, "a"); }),
              "a: an i1 element must be 0 or 1, found 7 at [2]");
}

TEST(Array, InputLiterals) {
  EXPECT_EQ(readInput("42", TPRT_INDEX, {}, "k").as<int64_t>()[0], 42);
  EXPECT_EQ(readInput("-7", TPRT_I32, {}, "k").as<int32_t>()[0], -7);
  EXPECT_EQ(readInput("1", TPRT_I1, {}, "k").data[0], 1);
  EXPECT_EQ(readInput("2.5", TPRT_F32, {}, "k").as<float>()[0], 2.5f);
  EXPECT_EQ(toFloat(readInput("2.5", TPRT_BF16, {}, "k").as<BFloat16>()[0]), 2.5f);
  EXPECT_PART(errorOf([] { readInput("2.5", TPRT_I32, {}, "k"); }),
              "k: expected a .npy file or a number, found '2.5'");
  EXPECT_PART(errorOf([] { readInput("", TPRT_I32, {}, "k"); }), "found ''");
  EXPECT_PART(errorOf([] { readInput("300", TPRT_I8, {}, "k"); }), "300 does not fit i8");
  EXPECT_PART(errorOf([] { readInput("2", TPRT_I1, {}, "k"); }), "does not fit i1");
  EXPECT_PART(errorOf([] { readInput("-1e300", TPRT_F32, {}, "k"); }),
              "k: -1e300 does not fit f32");
  EXPECT_PART(errorOf([] { readInput("65520", TPRT_F16, {}, "k"); }), "65520 does not fit f16");
  EXPECT_EQ(toFloat(readInput("65519", TPRT_F16, {}, "k").as<Half>()[0]), 65504.0f);
  EXPECT_PART(errorOf([] { readInput("3.4e38", TPRT_BF16, {}, "k"); }), "does not fit bf16");
  EXPECT_EQ(readInput("-inf", TPRT_F32, {}, "k").as<float>()[0], -INFINITY);
  EXPECT_PART(errorOf([] { readInput("99999999999999999999", TPRT_I64, {}, "k"); }), "expected");
  EXPECT_PART(errorOf([] { readInput("3", TPRT_F32, {2}, "k"); }),
              "k: expected a .npy file, found '3'");
}

TEST(Array, RandomValuesAndTexts) {
  RandomSpec spec;
  spec.seed = 1;
  spec.scale = 2;
  spec.bound = 3;
  const Array floats = randomArray("x", TPRT_F32, {1000}, spec);
  const Array again = randomArray("x", TPRT_F32, {1000}, spec);
  EXPECT_EQ(floats.data, again.data);
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_GE(floats.as<float>()[i], -2);
    EXPECT_LT(floats.as<float>()[i], 2);
  }
  const Array integers = randomArray("x", TPRT_I16, {1000}, spec);
  for (int64_t i = 0; i < 1000; ++i)
    EXPECT_TRUE(integers.as<int16_t>()[i] >= 0 && integers.as<int16_t>()[i] < 3);
  EXPECT_EQ(indexText({2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(indexText({}, 0), "[]");
  const float third = 1.0f / 3;
  EXPECT_EQ(std::stof(elementText(TPRT_F32, &third, 0)), third);
}
