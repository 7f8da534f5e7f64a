//===- EmulatorTest.cpp - Kernels on the emulated device -------------------===//
//
// Kernels.cu must give the values that its comments promise; of Faults.cu each kernel
// must end by the message here.
//
//===----------------------------------------------------------------------===//

#include "tp/Emulator/DeviceCode.h"
#include "tp/Emulator/DeviceMemory.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace mlir::tp::emulator;

namespace {

std::unique_ptr<DeviceCode> load(const char *file, DeviceMemory &memory) {
  auto buffer = llvm::MemoryBuffer::getFile(std::string(TP_BINARY_DIR "/") + file);
  EXPECT_TRUE(!!buffer) << file;
  llvm::Expected<std::unique_ptr<DeviceCode>> code =
      DeviceCode::load((*buffer)->getBuffer(), memory);
  if (!code) {
    ADD_FAILURE() << llvm::toString(code.takeError());
    return nullptr;
  }
  return std::move(*code);
}

/// A device with one stream, whose work the host awaits at once.
struct Device {
  DeviceMemory memory;
  Order order;
  unsigned stream = order.addLine();

  const Operation &next(const std::string &name) { return order.add(stream, name); }
};

/// An array on the device.
template <typename T> class DeviceArray {
public:
  DeviceArray(Device &device, size_t count)
      : device(device), count(count),
        data(static_cast<T *>(device.memory.allocate(count * sizeof(T)))) {}
  DeviceArray(Device &device, const std::vector<T> &values) : DeviceArray(device, values.size()) {
    llvm::cantFail(device.memory.write(data, count * sizeof(T), device.next("a copy")));
    std::memcpy(data, values.data(), count * sizeof(T));
  }
  ~DeviceArray() { llvm::cantFail(device.memory.free(data, device.next("a free"))); }

  T *get() const { return data; }
  std::vector<T> read() const {
    if (llvm::Error error = device.memory.read(data, count * sizeof(T), device.next("a copy")))
      ADD_FAILURE() << llvm::toString(std::move(error));
    return std::vector<T>(data, data + count);
  }

private:
  Device &device;
  size_t count;
  T *data;
};

class Emulator : public testing::Test {
protected:
  explicit Emulator(const char *file = "Kernels.bc") : code(load(file, device.memory)) {}

  template <typename... Parameters>
  std::string launch(const char *kernel, const LaunchConfig &config, Parameters... parameters) {
    return launchAs(device.next(std::string("kernel '") + kernel + "'"), kernel, config,
                    parameters...);
  }

  template <typename... Parameters>
  std::string launchAs(const Operation &operation, const char *kernel, const LaunchConfig &config,
                       Parameters... parameters) {
    void *addresses[] = {&parameters...};
    if (llvm::Error error = code->launch(kernel, config, addresses, operation))
      return llvm::toString(std::move(error));
    return "";
  }

  Device device;
  std::unique_ptr<DeviceCode> code;
};

std::vector<float> ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i % 13) - 5;
  return values;
}

uint16_t toBF16(float value) { return llvm::bit_cast<uint32_t>(value) >> 16; }

TEST_F(Emulator, Elementwise) {
  for (uint32_t n : {1, 31, 32, 100, 1000}) {
    std::vector<float> x = ramp(n), y = ramp(n);
    DeviceArray<float> dx(device, x), dy(device, y);
    ASSERT_EQ(launch("axpy", {{(n + 127) / 128}, {128}}, 2.0f, dx.get(), dy.get(), n), "");
    std::vector<float> result = dy.read();
    for (uint32_t i = 0; i < n; ++i)
      EXPECT_EQ(result[i], 2 * x[i] + y[i]) << i;
  }
}

TEST_F(Emulator, SumOfBlocks) {
  for (uint32_t threads : {32, 64, 256, 1024})
    for (uint32_t n : {1, 33, 5000}) {
      std::vector<float> x = ramp(n);
      float sum = 0;
      for (float element : x)
        sum += element;
      DeviceArray<float> dx(device, x), total(device, std::vector<float>{0});
      ASSERT_EQ(launch("block_sum", {{3}, {threads}}, dx.get(), total.get(), n), "");
      EXPECT_EQ(total.read()[0], sum) << threads << " threads, " << n;
    }
}

TEST_F(Emulator, SharedMemoryOfTheLaunch) {
  std::vector<float> x = ramp(300);
  DeviceArray<float> dx(device, x), dy(device, 300);
  ASSERT_EQ(launch("reverse", {{3}, {100}, 400}, dx.get(), dy.get()), "");
  std::vector<float> y = dy.read();
  for (int i = 0; i < 300; ++i)
    EXPECT_EQ(y[i], x[i / 100 * 100 + 99 - i % 100]);
  // Its size is checked.
  EXPECT_EQ(launch("reverse", {{3}, {100}, 396}, dx.get(), dy.get()),
            "test/Emulator/Kernels.cu:51: in kernel 'reverse': thread (99, 0, 0) of block (0, 0, "
            "0) writes 4 bytes of shared memory 0 bytes behind the end of variable 'launchSized'");
}

TEST_F(Emulator, BarrierOfTheWarp) {
  std::vector<float> x = ramp(256);
  DeviceArray<float> dx(device, x), dy(device, 256);
  ASSERT_EQ(launch("reverse_warps", {{1}, {256}}, dx.get(), dy.get()), "");
  std::vector<float> y = dy.read();
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(y[i], x[i / 32 * 32 + 31 - i % 32]);
}

TEST_F(Emulator, Votes) {
  std::vector<float> x = ramp(96);
  DeviceArray<float> dx(device, x);
  DeviceArray<uint32_t> bits(device, 3), counts(device, 96);
  ASSERT_EQ(launch("votes", {{1}, {96}}, dx.get(), bits.get(), counts.get()), "");
  uint32_t count = 0;
  for (int i = 0; i < 96; ++i) {
    EXPECT_EQ(bits.read()[i / 32] >> i % 32 & 1, x[i] > 0);
    count += x[i] > 0;
  }
  EXPECT_EQ(counts.read(), std::vector<uint32_t>(96, count));
}

TEST_F(Emulator, ParametersByValueAndConstantMemory) {
  struct {
    float factors[4] = {1, 2, 3, 4};
  } by;
  std::vector<uint16_t> x(8, toBF16(0.5f));
  DeviceArray<uint16_t> dx(device, x), dy(device, 8);
  ASSERT_EQ(launch("scale", {{1}, {8}}, by, dx.get(), dy.get()), "");
  float table[4] = {1, 10, 100, 1000};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(dy.read()[i], toBF16(0.5f * by.factors[i % 4] * table[i % 4])) << i;
}

TEST_F(Emulator, TensorCores) {
  std::vector<float> a = ramp(16 * 16), b = ramp(16 * 8);
  std::vector<uint16_t> narrowA, narrowB;
  for (float element : a)
    narrowA.push_back(toBF16(element));
  for (float element : b)
    narrowB.push_back(toBF16(element));
  DeviceArray<uint16_t> da(device, narrowA), db(device, narrowB);
  DeviceArray<float> dc(device, 16 * 8);
  ASSERT_EQ(launch("multiply", {{1}, {32}}, da.get(), db.get(), dc.get()), "");
  std::vector<float> c = dc.read();
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += a[m * 16 + k] * b[k * 8 + n];
      EXPECT_EQ(c[m * 8 + n], sum) << m << ", " << n;
    }
}

/// A kernel `k` of pointers to 64 results as text, which stores each of `values` at its
/// place; `code` computes them.
std::string kernelText(const std::string &code, const std::vector<std::string> &values) {
  std::string text = "target triple = \"nvptx64-nvidia-cuda\"\n"
                     "define ptx_kernel void @k(ptr %results) {\n" +
                     code;
  for (size_t i = 0; i < values.size(); ++i) {
    std::string n = std::to_string(i);
    text += "  %p" + n + " = getelementptr i64, ptr %results, i64 " + n + "\n  store " + values[i] +
            ", ptr %p" + n + "\n";
  }
  return text + "  ret void\n}\n";
}

class EmulatorText : public testing::Test {
protected:
  /// The 64 results of a kernel in text.
  std::vector<uint64_t> run(const std::string &text) {
    llvm::Expected<std::unique_ptr<DeviceCode>> loaded = DeviceCode::load(text, device.memory);
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return std::vector<uint64_t>(64);
    }
    DeviceArray<uint64_t> results(device, std::vector<uint64_t>(64));
    uint64_t *pointer = results.get();
    void *addresses[] = {&pointer};
    if (llvm::Error error = (*loaded)->launch("k", {{1}, {1}}, addresses, device.next("k")))
      ADD_FAILURE() << llvm::toString(std::move(error));
    return results.read();
  }

  std::string problemOf(const std::string &text) {
    llvm::Expected<std::unique_ptr<DeviceCode>> loaded = DeviceCode::load(text, device.memory);
    return loaded ? "" : llvm::toString(loaded.takeError());
  }

  Device device;
};

// 1 + 2^-30 lies between 1 and the next float; 1/3 between two floats and two doubles.
TEST_F(EmulatorText, RoundsAsInstructionsSay) {
  std::string code, declarations;
  std::vector<std::string> values;
  auto add = [&](const std::string &type, const std::string &name, const std::string &parameters,
                 const std::string &arguments) {
    std::string n = std::to_string(values.size());
    code += "  %v" + n + " = call " + type + " @llvm.nvvm." + name + "(" + arguments + ")\n";
    if (declarations.find("@llvm.nvvm." + name + "(") == std::string::npos)
      declarations += "declare " + type + " @llvm.nvvm." + name + "(" + parameters + ")\n";
    values.push_back(type + " %v" + n);
  };
  for (std::string mode : {"rn", "rz", "rm", "rp"})
    add("float", "add." + mode + ".f", "float, float", "float 1.0, float 0x3E10000000000000");
  for (std::string mode : {"rn", "rz", "rm", "rp"})
    add("double", "div." + mode + ".d", "double, double", "double 1.0, double 3.0");
  for (std::string mode : {"rn", "rz", "rm", "rp"})
    add("i32", "d2i." + mode, "double", "double -2.5");
  for (std::string x : {"0x7FF8000000000000", "1.0e30", "-1.0e30"})
    add("i64", "d2ll.rn", "double", "double " + x);
  add("i32", "f2ui.rz", "float", "float -1.0");
  for (std::string mode : {"rn", "rz", "rm", "rp"}) // 2^24 + 1
    add("float", "i2f." + mode, "i32", "i32 16777217");
  add("float", "d2f.rp", "double", "double 0x3FF0000000000001");
  add("float", "mul.rn.ftz.f", "float, float",
      "float 0x3810000000000000, float 0x3FE0000000000000");
  add("i32", "d2i.hi", "double", "double 0xBFF0000000000001");
  add("i32", "d2i.lo", "double", "double 0xBFF0000000000001");
  add("double", "lohi.i2d", "i32, i32", "i32 1, i32 1072693248");
  std::vector<uint64_t> results = run(kernelText(code, values) + declarations);
  std::vector<uint64_t> expected = {0x3f800000,
                                    0x3f800000,
                                    0x3f800000,
                                    0x3f800001,
                                    0x3fd5555555555555,
                                    0x3fd5555555555555,
                                    0x3fd5555555555555,
                                    0x3fd5555555555556,
                                    uint32_t(-2),
                                    uint32_t(-2),
                                    uint32_t(-3),
                                    uint32_t(-2),
                                    0,
                                    uint64_t(INT64_MAX),
                                    uint64_t(INT64_MIN),
                                    0,
                                    0x4b800000,
                                    0x4b800000,
                                    0x4b800000,
                                    0x4b800001,
                                    0x3f800001,
                                    0,
                                    0xbff00000,
                                    1,
                                    0x3ff0000000000001};
  results.resize(expected.size());
  EXPECT_EQ(results, expected);
}

// 0xffffffff * 0xffffffff + 5 = 0xfffffffe'00000006; the largest product of 64 bits.
TEST_F(EmulatorText, AssemblyOfLibdevice) {
  std::string code =
      "  %a = call {i32, i32} asm \"{\\0A\\09mad.lo.cc.u32   $0, $2, $3, $4;\\0A\\09"
      "madc.hi.u32     $1, $2, $3,  0;\\0A\\09}\", \"=r,=r,r,r,r\"(i32 -1, i32 -1, i32 5)\n"
      "  %a0 = extractvalue {i32, i32} %a, 0\n  %a1 = extractvalue {i32, i32} %a, 1\n"
      "  %b = call {i64, i64} asm \"{.reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi;\\0A"
      "mov.b64 {alo,ahi}, $2; mov.b64 {blo,bhi}, $3; mul.lo.u32 r0, alo, blo;"
      "mul.hi.u32 r1, alo, blo; mad.lo.cc.u32 r1, alo, bhi, r1; madc.hi.u32 r2, alo, bhi, 0;"
      "mad.lo.cc.u32 r1, ahi, blo, r1; madc.hi.cc.u32 r2, ahi, blo, r2; madc.hi.u32 r3, ahi, bhi, "
      "0;"
      "mad.lo.cc.u32 r2, ahi, bhi, r2; addc.u32 r3, r3, 0; mov.b64 $0, {r0,r1};"
      "mov.b64 $1, {r2,r3};}\", \"=l,=l,l,l\"(i64 -1, i64 -1)\n"
      "  %b0 = extractvalue {i64, i64} %b, 0\n  %b1 = extractvalue {i64, i64} %b, 1\n"
      "  %c = call i32 asm \"{.reg .u32 l, h; sub.cc.u32 l, $1, $2; subc.u32 $0, 7, 2;}\","
      " \"=r,r,r\"(i32 3, i32 4)\n"
      "  %d = call float asm \"sub.rp.f32 $0, $1, $2;\", \"=f,f,f\"(float 1.0, float "
      "0xBE10000000000000)\n"
      "  %e = call float asm \"rcp.approx.ftz.f32 $0,$1;\", \"=f,f\"(float 4.0)\n"
      "  %f = call double asm \"rsqrt.approx.ftz.f64 $0, $1;\", \"=d,d\"(double 4.0)\n"
      "  %g = call double asm \"{.reg .pred p; setp.equ.f64 p, $1, $2; selp.f64 $0, $3, $4, p;}\","
      " \"=d,d,d,d,d\"(double 0x7FF8000000000000, double 1.0, double 2.0, double 3.0)\n"
      "  %h = call i32 asm \"bfind.shiftamt.u32 $0, $1;\", \"=r,r\"(i32 256)\n"
      "  %i = call i32 asm \"bfind.shiftamt.u32 $0, $1;\", \"=r,r\"(i32 0)\n";
  std::vector<uint64_t> results =
      run(kernelText(code, {"i32 %a0", "i32 %a1", "i64 %b0", "i64 %b1", "i32 %c", "float %d",
                            "float %e", "double %f", "double %g", "i32 %h", "i32 %i"}));
  std::vector<uint64_t> expected = {6,
                                    0xfffffffe,
                                    1,
                                    UINT64_MAX - 1,
                                    4,
                                    0x3f800001,
                                    0x3e800000,
                                    0x3fe0000000000000,
                                    0x4000000000000000,
                                    23,
                                    UINT32_MAX};
  results.resize(expected.size());
  EXPECT_EQ(results, expected);
}

TEST_F(EmulatorText, OtherAssemblyIsRefused) {
  EXPECT_EQ(problemOf(kernelText("  %a = call i32 asm \"popc.b32 $0, $1;\", \"=r,r\"(i32 3)\n",
                                 {"i32 %a"})),
            "function 'k': inline assembly 'popc.b32 $0, $1' cannot be emulated");
  EXPECT_EQ(problemOf(kernelText("  %a = call i32 asm \"\", \"=r,r\"(i32 3)\n", {"i32 %a"})),
            "function 'k': inline assembly without result 0 cannot be emulated");
}

// A load of four bytes that is declared to be aligned to two is two instructions.
TEST_F(EmulatorText, PartsOfWhatIsLessAligned) {
  std::string code = "  %q = getelementptr i8, ptr %results, i64 2\n"
                     "  store i32 7, ptr %q, align 2\n  %a = load i32, ptr %q, align 2\n";
  EXPECT_EQ(run(kernelText(code, {"i64 0", "i32 %a"}))[1], 7u);
}

TEST_F(Emulator, Limits) {
  DeviceArray<float> x(device, ramp(4));
  EXPECT_EQ(launch("gone", {}, x.get()), "the device code has no kernel 'gone'");
  EXPECT_EQ(launch("reverse", {{1}, {1025}}, x.get(), x.get()),
            "kernel 'reverse': a block of 1025 threads, of 1 to 1024");
  EXPECT_NE(launch("reverse", {{1}, {1}, 1 << 20}, x.get(), x.get()), "");
}

TEST_F(Emulator, MemoryOfTheHost) {
  DeviceMemory &memory = device.memory;
  auto *x = static_cast<char *>(memory.allocate(10));
  auto read = [&](char *from, size_t bytes) {
    return llvm::toString(memory.read(from, bytes, device.next("a copy")));
  };
  auto write = [&](char *to, size_t bytes) {
    return llvm::toString(memory.write(to, bytes, device.next("a copy")));
  };
  EXPECT_EQ(read(x, 4),
            "a copy reads byte 0 of the allocation of 10 bytes, which was never written");
  EXPECT_EQ(write(x, 4), "");
  EXPECT_EQ(read(x, 4), "");
  EXPECT_EQ(read(x + 2, 4),
            "a copy reads byte 4 of the allocation of 10 bytes, which was never written");
  EXPECT_EQ(write(x + 8, 4),
            "a copy writes 4 bytes, the last 1 byte behind the allocation of 10 bytes");
  EXPECT_EQ(llvm::toString(memory.free(x + 4, device.next("a free"))),
            "what is freed is not the start of an allocation, but 4 bytes into the allocation of "
            "10 bytes");
  llvm::cantFail(memory.free(x, device.next("a free")));
  EXPECT_EQ(write(x + 8, 1),
            "a copy writes 1 byte at an address in an allocation of 10 bytes that was freed");
}

TEST_F(Emulator, OrderOfStreams) {
  constexpr uint32_t n = 600;
  DeviceArray<float> x(device, ramp(n)), y(device, ramp(n));
  unsigned other = device.order.addLine();
  LaunchConfig config = {{5}, {128}};
  // A second stream that is behind the first: by an event.
  device.order.wait(other, device.order.clock(device.stream));
  auto onOther = [&] {
    return launchAs(device.order.add(other, "kernel 'axpy' on stream 2"), "axpy", config, 1.0f,
                    x.get(), y.get(), n);
  };
  EXPECT_EQ(onOther(), "");
  EXPECT_EQ(onOther(), "");
  // Both read x, and that is fine; y is written by both.
  EXPECT_EQ(launch("axpy", config, 1.0f, x.get(), y.get(), n),
            "test/Emulator/Kernels.cu:11: in kernel 'axpy': thread (0, 0, 0) of block (0, 0, 0) "
            "reads 4 bytes from byte 0 of the allocation of 2400 bytes on, which kernel 'axpy' on "
            "stream 2 writes with nothing that orders the two");
  // A copy on the first stream, of one element in the middle.
  EXPECT_EQ(llvm::toString(device.memory.read(y.get() + 300, 4, device.next("a copy"))),
            "a copy reads 4 bytes of the allocation of 2400 bytes that kernel 'axpy' on stream 2 "
            "writes with nothing that orders the two");
  // Writing what the other stream has read.
  EXPECT_EQ(llvm::toString(device.memory.write(x.get(), 4 * n, device.next("a copy"))),
            "a copy writes 2400 bytes of the allocation of 2400 bytes that kernel 'axpy' on "
            "stream 2 reads with nothing that orders the two");
  device.order.wait(device.stream, device.order.clock(other));
  EXPECT_EQ(launch("axpy", config, 1.0f, x.get(), y.get(), n), "");
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

struct Fault {
  const char *kernel;
  LaunchConfig config;
  /// The place; then what is behind "in kernel 'name': ".
  const char *place, *message;
};

std::ostream &operator<<(std::ostream &out, const Fault &fault) { return out << fault.kernel; }

class EmulatorFaults : public Emulator, public testing::WithParamInterface<Fault> {
protected:
  EmulatorFaults() : Emulator("Faults.bc") {}
};

TEST_P(EmulatorFaults, AreTold) {
  const Fault &fault = GetParam();
  DeviceArray<float> x(device, std::vector<float>(64, -1)), unset(device, 64);
  bool unsetFirst = std::string(fault.kernel) == "unset_sum";
  EXPECT_EQ(launch(fault.kernel, fault.config, unsetFirst ? unset.get() : x.get(), unset.get()),
            std::string(fault.place) + ": in kernel '" + fault.kernel + "': " + fault.message);
}

const Fault faults[] = {
    {"ended_before_barrier",
     {{1}, {64}},
     "runtime/cuda/kernels/Device.h:38, called at test/Emulator/Faults.cu:11",
     "thread (0, 0, 0) of block (0, 0, 0) waits at barrier 0 of the block for thread (32, 0, 0) of "
     "block (0, 0, 0), which has ended"},
    {"two_barriers",
     {{1}, {32}},
     "runtime/cuda/kernels/Device.h:38, called at test/Emulator/Faults.cu:20",
     "thread (0, 0, 0) of block (0, 0, 0) waits at barrier 0 of the block for thread (1, 0, 0) of "
     "block (0, 0, 0), which waits at barrier 0 of the block at test/Emulator/Faults.cu:18"},
    {"shuffle_in_branch",
     {{1}, {32}},
     "runtime/cuda/kernels/Device.h:44, called at test/Emulator/Faults.cu:27",
     "thread (0, 0, 0) of block (0, 0, 0) waits in shfl.sync.bfly with mask 0xffffffff for thread "
     "(16, 0, 0) of block (0, 0, 0), which has ended"},
    {"mixed_operations",
     {{1}, {32}},
     "test/Emulator/Faults.cu:35",
     "thread (0, 0, 0) of block (0, 0, 0) waits in shfl.sync.down with mask 0xffffffff for thread "
     "(16, 0, 0) of block (0, 0, 0), which waits in shfl.sync.up with mask 0xffffffff at "
     "test/Emulator/Faults.cu:37"},
    {"outside_mask",
     {{1}, {32}},
     "test/Emulator/Faults.cu:43",
     "thread (16, 0, 0) of block (0, 0, 0) calls shfl.sync.bfly with mask 0xffff, which leaves it "
     "out"},
    {"beyond_end",
     {{1}, {64}},
     "test/Emulator/Faults.cu:47",
     "thread (63, 0, 0) of block (0, 0, 0) writes 4 bytes at an address that is just behind the "
     "allocation of 256 bytes"},
    {"before_start",
     {{1}, {32}},
     "test/Emulator/Faults.cu:49",
     "thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes at an address that is 4 bytes before the "
     "allocation of 256 bytes"},
    {"beyond_shared_array",
     {{1}, {32}},
     "test/Emulator/Faults.cu:54",
     "thread (31, 0, 0) of block (0, 0, 0) writes 4 bytes of shared memory 0 bytes behind the "
     "end of variable 'beyond_shared_array::first'"},
    {"no_barrier",
     {{1}, {64}},
     "test/Emulator/Faults.cu:65",
     "thread (1, 0, 0) of block (0, 0, 0) writes 4 bytes from byte 4 of shared variable "
     "'no_barrier::buffer' on, which thread (0, 0, 0) of block (0, 0, 0) reads at "
     "test/Emulator/Faults.cu:66 with nothing that orders the two"},
    {"one_barrier_in_loop",
     {{1}, {64}},
     "test/Emulator/Faults.cu:74",
     "thread (1, 0, 0) of block (0, 0, 0) writes 4 bytes from byte 4 of shared variable "
     "'one_barrier_in_loop::buffer' on, which thread (0, 0, 0) of block (0, 0, 0) reads at "
     "test/Emulator/Faults.cu:76 with nothing that orders the two"},
    {"warp_barrier_only",
     {{1}, {64}},
     "test/Emulator/Faults.cu:86",
     "thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes from byte 252 of shared variable "
     "'warp_barrier_only::buffer' on, which thread (63, 0, 0) of block (0, 0, 0) writes at "
     "test/Emulator/Faults.cu:84 with nothing that orders the two"},
    {"add_without_atomic",
     {{2}, {32}},
     "test/Emulator/Faults.cu:92",
     "thread (0, 0, 0) of block (1, 0, 0) reads 4 bytes from byte 0 of the allocation of 256 bytes "
     "on, which thread (0, 0, 0) of block (0, 0, 0) writes at test/Emulator/Faults.cu:92 with "
     "nothing that orders the two"},
    {"unset_sum",
     {{1}, {1}},
     "test/Emulator/Faults.cu:96",
     "thread (0, 0, 0) of block (0, 0, 0) reads byte 0 of the allocation of 256 bytes, which was "
     "never written"},
    {"half_written",
     {{1}, {64}},
     "test/Emulator/Faults.cu:104",
     "thread (32, 0, 0) of block (0, 0, 0) reads byte 128 of shared variable "
     "'half_written::buffer', which was never written"},
    {"copy_not_awaited",
     {{1}, {16}},
     "test/Emulator/Faults.cu:113",
     "thread (0, 0, 0) of block (0, 0, 0) reads byte 0 of shared variable "
     "'copy_not_awaited::buffer', which was never written"},
    {"copy_of_others",
     {{1}, {16}},
     "test/Emulator/Faults.cu:122",
     "thread (1, 0, 0) of block (0, 0, 0) reads 4 bytes from byte 4 of shared variable "
     "'copy_of_others::buffer' on, which thread (0, 0, 0) of block (0, 0, 0) writes at "
     "runtime/cuda/kernels/Device.h:49, called at test/Emulator/Faults.cu:119 with nothing that "
     "orders the two"},
    {"misaligned",
     {{1}, {1}},
     "test/Emulator/Faults.cu:126",
     "thread (0, 0, 0) of block (0, 0, 0) reads 8 bytes at an address that is not aligned to them: "
     "byte 4 of the allocation of 256 bytes"},
    {"traps",
     {{1}, {32}},
     "test/Emulator/Faults.cu:130",
     "thread (0, 0, 0) of block (0, 0, 0) traps"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, EmulatorFaults, testing::ValuesIn(faults),
                         [](const auto &info) { return std::string(info.param.kernel); });

} // namespace
