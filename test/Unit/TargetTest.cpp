//===- TargetTest.cpp - Output files are complete or not there ------------===//

#include "tp/Execute/CompiledProgram.h"
#include "tp/Target/CPU.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
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

} // namespace
