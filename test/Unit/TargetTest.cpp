//===- TargetTest.cpp - Output files are complete or not there ------------===//

#include "tp/Execute/CompiledProgram.h"
#include "tp/Target/CPU.h"
#include "tp/Target/CUDA.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <fstream>

using namespace mlir;
using namespace mlir::tp;

namespace {

class Target : public testing::Test {
protected:
  Target() {
    context.loadDialect<LLVM::LLVMDialect>();
    module = parseSourceString<ModuleOp>(R"(
llvm.func @twice(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
})",
                                         &context, "twice.mlir");
    handler = std::make_unique<ScopedDiagnosticHandler>(&context, [this](Diagnostic &diagnostic) {
      errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
      llvm::raw_string_ostream(text) << diagnostic << "\n";
      for (Diagnostic &note : diagnostic.getNotes())
        llvm::raw_string_ostream(text) << note << "\n";
      return success();
    });
    SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tp-target", path));
    directory = path.str().str();
  }
  ~Target() override { llvm::sys::fs::remove_directories(directory); }

  std::string in(StringRef name) { return (directory + "/" + name).str(); }

  /// Makes the object file `name` of the module.
  void writeObject(StringRef name, const CPUTargetOptions &options = {}) {
    auto object = emitObject(*module, options);
    ASSERT_TRUE(succeeded(object)) << text;
    std::ofstream(in(name)).write(object->data(), object->size());
  }

  std::vector<std::string> files() {
    std::vector<std::string> names;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error))
      names.push_back(it->path().substr(directory.size() + 1));
    llvm::sort(names);
    return names;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ScopedDiagnosticHandler> handler;
  int errors = 0;
  std::string text, directory;
  std::function<InFlightDiagnostic()> emitError = [this] {
    return mlir::emitError(UnknownLoc::get(&context));
  };
};

TEST_F(Target, ObjectsAndSharedObjects) {
  writeObject("a.o");
  writeObject("b.o", {"x86-64"});
  ASSERT_TRUE(succeeded(linkSharedObject(in("a.o"), in("a.so"), emitError))) << text;
  EXPECT_EQ(files(), (std::vector<std::string>{"a.o", "a.so", "b.o"}));
  EXPECT_EQ(errors, 0);
}

TEST_F(Target, EqualInputGivesEqualObjects) {
  auto a = emitObject(*module, {}), b = emitObject(*module, {});
  ASSERT_TRUE(succeeded(a) && succeeded(b));
  EXPECT_EQ(*a, *b);
}

TEST_F(Target, UnknownCPU) {
  EXPECT_TRUE(failed(emitObject(*module, {"z80"})));
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(text.find("unknown CPU 'z80' for "), 0u) << text;
  EXPECT_NE(text.find("--cpu takes native or a name that LLVM knows for "), std::string::npos)
      << text;
}

TEST_F(Target, NotLLVMDialect) {
  module = parseSourceString<ModuleOp>(R"(
llvm.func @f(%x: f32) {
  %0 = builtin.unrealized_conversion_cast %x : f32 to i32
  llvm.return
})",
                                       &context);
  EXPECT_TRUE(failed(emitObject(*module, {})));
  EXPECT_NE(text.find("cannot be translated to LLVM IR"), std::string::npos) << text;
}

TEST_F(Target, FolderThatIsNotThere) {
  writeObject("a.o");
  EXPECT_TRUE(failed(linkSharedObject(in("a.o"), in("none/a.so"), emitError)));
  EXPECT_EQ(errors, 1);
  EXPECT_NE(text.find(in("none/a.so")), std::string::npos) << text;
}

TEST_F(Target, BrokenObject) {
  std::ofstream(in("a.o")) << "no object file";
  EXPECT_TRUE(failed(linkSharedObject(in("a.o"), in("a.so"), emitError)));
  EXPECT_EQ(errors, 1);
  EXPECT_NE(text.find("cannot link " + in("a.so")), std::string::npos) << text;
  EXPECT_NE(text.find("a.o"), std::string::npos) << "the linker's own words: " << text;
  EXPECT_EQ(files(), std::vector<std::string>{"a.o"});
}

TEST_F(Target, MissingRuntime) {
  writeObject("a.o");
  EXPECT_TRUE(failed(linkExecutable(in("a.o"), {directory}, in("a"), emitError)));
  EXPECT_EQ(errors, 1);
  EXPECT_NE(text.find("the runtime is missing: no " + in("libtprt_main.a")), std::string::npos)
      << text;
  EXPECT_NE(text.find("it is built by: cmake --build build --target tp-tools"), std::string::npos)
      << text;
  EXPECT_EQ(files(), std::vector<std::string>{"a.o"});
}

TEST_F(Target, ObjectsThatAreNoProgram) {
  writeObject("a.o");
  ASSERT_TRUE(succeeded(linkSharedObject(in("a.o"), in("a.so"), emitError))) << text;
  auto load = [&](StringRef name) {
    return llvm::toString(CompiledProgram::load(in(name), {}).takeError());
  };
  EXPECT_EQ(load("a.so"), in("a.so") + " has no symbol tprt_module");
  EXPECT_EQ(load("none.so").find("cannot load the compiled program: " + in("none.so")), 0u);
}

/// A module with one kernel, whose body is `code` on the pointer %p, and these images.
std::string withKernel(const std::string &code, const std::string &images) {
  return R"(
module attributes {rt.images = [)" +
         images + R"(]} {
  llvm.mlir.global external constant @tprt_images() : !llvm.ptr
  llvm.func @user() -> !llvm.ptr {
    %0 = llvm.mlir.addressof @tprt_images : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @no_such_function(f32) -> f32
  llvm.func @tp_kernel(%p: !llvm.ptr) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr -> f32
)" + code +
         R"(
    llvm.return
  }
})";
}

class DeviceTargets : public Target {
protected:
  DeviceTargets() {
    context.loadDialect<NVVM::NVVMDialect>();
    context.printOpOnDiagnostic(false);
  }

  void parse(const std::string &code, const std::string &images) {
    module = parseSourceString<ModuleOp>(withKernel(code, images), &context, "kernel.mlir");
    ASSERT_TRUE(module) << text;
  }
  /// The kernels as text; what is wrong where there is none.
  std::string emitText() {
    FailureOr<std::string> result = emitDeviceText(*module);
    return succeeded(result) ? *result : text;
  }
};

// What devices have no instruction for is libdevice's, whatever the width.
TEST_F(DeviceTargets, FunctionsOfTheLibrary) {
  if (!std::getenv("CUDA_HOME") && !llvm::sys::fs::exists("/usr/local/cuda/nvvm/libdevice"))
    GTEST_SKIP() << "needs libdevice of the CUDA toolkit";
  parse(R"(
    %y = llvm.intr.sin(%x) : (f32) -> f32
    %h = llvm.fptrunc %y : f32 to f16
    %r = llvm.frem %h, %h : f16
    %d = llvm.fpext %r : f16 to f64
    %e = llvm.intr.log10(%d) : (f64) -> f64
    llvm.store %e, %p : f64, !llvm.ptr
)",
        "\"ptx_80\"");
  std::string ptx = emitText();
  EXPECT_NE(ptx.find(".visible .entry tp_kernel"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("__nv_"), std::string::npos) << "all of it is linked and inlined: " << ptx;
  EXPECT_EQ(ptx.find(".extern"), std::string::npos) << ptx;
  text.clear();
  parse("    %y = llvm.call @no_such_function(%x) : (f32) -> f32\n"
        "    llvm.store %y, %p : f32, !llvm.ptr\n",
        "\"ptx_80\"");
  EXPECT_EQ(emitText(),
            "a kernel needs __nv_no_such_function, which CUDA's libdevice does not have\n");
}

// Functions of the library of kernels are part of the kernel that calls them, made special.
TEST_F(DeviceTargets, LibraryOfKernels) {
  std::string declarations = R"(
  llvm.func @tprtk_reduce(i32, i32, !llvm.ptr, i32, !llvm.ptr, i64)
  llvm.func @tprtk_rms_norm(i32)
  llvm.func @tp_kernel()";
  auto parseWith = [&](const std::string &call) {
    std::string source = withKernel(call, "\"ptx_80\"");
    source.replace(source.find("  llvm.func @tp_kernel("), 23, declarations);
    module = parseSourceString<ModuleOp>(source, &context, "kernel.mlir");
    ASSERT_TRUE(module) << text;
  };
  parseWith(R"(
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %i2 = llvm.mlir.constant(2 : i32) : i32
    %n = llvm.mlir.constant(100 : i64) : i64
    llvm.call @tprtk_reduce(%i1, %i1, %p, %i2, %p, %n) : (i32, i32, !llvm.ptr, i32, !llvm.ptr, i64) -> ()
)");
  std::string code = emitText();
  EXPECT_NE(code.find("mul.f32"), std::string::npos) << code;
  EXPECT_EQ(code.find(".func"), std::string::npos) << "all is inlined: " << code;
  EXPECT_EQ(code.find("f64"), std::string::npos) << "the type is a constant: " << code;
  parseWith(R"(
    %i1 = llvm.mlir.constant(1 : i32) : i32
    llvm.call @tprtk_rms_norm(%i1) : (i32) -> ()
)");
  text.clear();
  std::string problem = emitText();
  EXPECT_TRUE(StringRef(problem).ends_with(
      "lib/tprt_kernels.bc has no tprtk_rms_norm as this compiler calls it\nit is of another "
      "version; build it again: cmake --build build --target tp-tools\n"))
      << problem;
}

TEST_F(DeviceTargets, WithoutTheToolkit) {
  setenv("CUDA_HOME", directory.c_str(), 1);
  parse("    %y = llvm.intr.sin(%x) : (f32) -> f32\n    llvm.store %y, %p : f32, !llvm.ptr\n",
        "\"emulated\"");
  EXPECT_EQ(emitText(), "a kernel needs __nv_sinf of CUDA's libdevice\n"
                        "install the CUDA toolkit and have ptxas on the PATH, or set CUDA_HOME to "
                        "its folder\n");
  text.clear();
  parse("    llvm.store %x, %p : f32, !llvm.ptr\n", "\"sm_80\"");
  EXPECT_TRUE(failed(emitObject(*module, {})));
  EXPECT_EQ(text, "machine code for sm_80 needs ptxas of the CUDA toolkit\n"
                  "have it on the PATH, set CUDA_HOME to the toolkit's folder, or ask for ptx_80, "
                  "which the driver compiles when the program starts\n");
  unsetenv("CUDA_HOME");
}

TEST_F(DeviceTargets, BrokenToolkit) {
  ASSERT_FALSE(llvm::sys::fs::create_directories(in("bin")));
  ASSERT_FALSE(llvm::sys::fs::create_directories(in("nvvm/libdevice")));
  std::ofstream(in("bin/ptxas")) << "#!/bin/sh\necho no room\nexit 3\n";
  ASSERT_FALSE(llvm::sys::fs::setPermissions(in("bin/ptxas"), llvm::sys::fs::all_all));
  std::ofstream(in("nvvm/libdevice/libdevice.10.bc")) << "no module";
  setenv("CUDA_HOME", directory.c_str(), 1);
  parse("    llvm.store %x, %p : f32, !llvm.ptr\n", "\"sm_80\"");
  EXPECT_TRUE(failed(emitObject(*module, {})));
  EXPECT_EQ(text, in("bin/ptxas") + " makes no machine code for sm_80\nno room\n");
  text.clear();
  parse("    %y = llvm.intr.sin(%x) : (f32) -> f32\n    llvm.store %y, %p : f32, !llvm.ptr\n",
        "\"emulated\"");
  EXPECT_EQ(emitText().find("cannot read " + in("nvvm/libdevice/libdevice.10.bc") + ": "), 0u)
      << text;
  unsetenv("CUDA_HOME");
}

TEST_F(DeviceTargets, Images) {
  parse("    llvm.store %x, %p : f32, !llvm.ptr\n", "\"emulated\", \"ptx_90\"");
  auto object = emitObject(*module, {});
  ASSERT_TRUE(succeeded(object)) << text;
  StringRef bytes(object->data(), object->size());
  EXPECT_TRUE(bytes.contains(".target sm_90"));
  EXPECT_TRUE(bytes.contains("BC\xC0\xDE"));
  parse("    llvm.store %x, %p : f32, !llvm.ptr\n", "\"sm_70\"");
  EXPECT_TRUE(failed(emitObject(*module, {})));
  EXPECT_EQ(text, "rt.images takes sm_80 and newer, ptx_80 and newer, and emulated, found "
                  "\"sm_70\"\n");
  text.clear();
  parse("    llvm.store %x, %p : f32, !llvm.ptr\n", "");
  EXPECT_EQ(emitText(), "is not lowered to a device\n");
}

} // namespace
