//===- CompiledProgram.cpp - Running compiled entries in this process ------===//

#include "tp/Execute/CompiledProgram.h"

#include "Guard.h"
#include "tprt/device.h"
#include "tprt/session.h"

#include <cassert>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::tp;
using tprt::ValueInfo;
using tprt::ValueKind;

namespace {
struct LibraryCloser {
  void operator()(void *library) const { dlclose(library); }
};
} // namespace

llvm::Expected<std::string> tp::getImageForThisMachine() {
  std::string image;
  if (llvm::Error error = guarded([&] { image = tprt::imageForThisMachine(); }))
    return error;
  return image;
}

class CompiledProgram::Impl {
public:
  // The session uses code of the library, so it goes first.
  std::unique_ptr<void, LibraryCloser> library;
  std::unique_ptr<tprt::Session> session;

  void open(const std::string &path, const ExecutionOptions &options) {
    library.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!library)
      throw tprt::runFailure(std::string("cannot load the compiled program: ") + dlerror());
    auto *module = static_cast<const tprt_module_t *>(dlsym(library.get(), TPRT_MODULE_SYMBOL));
    if (!module)
      throw tprt::runFailure(path + " has no symbol " TPRT_MODULE_SYMBOL);
    tprt::installFaultHandler();
    tprt::SessionOptions session;
    session.weights = options.weights;
    session.checkCollectives = options.checkCollectives;
    session.jitterSeed = options.jitterSeed;
    session.poison = options.poison;
    session.autotune = options.autotune;
    session.virtualRanks = options.virtualRanks;
    this->session = std::make_unique<tprt::Session>(*module, session);
  }

  CallResults call(const std::string &name, llvm::ArrayRef<tprt::Array> inputs) {
    int entry = session->manifest().findEntry(name);
    assert(entry >= 0 && "the program was compiled with it");
    const tprt::EntryInfo &info = session->manifest().entries[entry];
    const std::vector<ValueInfo> &arguments = info.arguments;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].kind == ValueKind::Input) {
        session->setInput(entry, static_cast<int>(i), inputs.front());
        inputs = inputs.drop_front();
      }
    session->call(entry);
    CallResults values;
    for (size_t i = 0; i < info.results.size(); ++i)
      values.results.push_back(session->result(entry, static_cast<int>(i)));
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].kind == ValueKind::State)
        values.states.push_back(session->argument(entry, static_cast<int>(i)));
    return values;
  }
};

CompiledProgram::CompiledProgram(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
CompiledProgram::~CompiledProgram() = default;

llvm::Expected<std::unique_ptr<CompiledProgram>>
CompiledProgram::load(llvm::StringRef sharedObject, const ExecutionOptions &options) {
  auto impl = std::make_unique<Impl>();
  if (llvm::Error error = guarded([&] { impl->open(sharedObject.str(), options); }))
    return error;
  return std::unique_ptr<CompiledProgram>(new CompiledProgram(std::move(impl)));
}

llvm::Expected<CallResults> CompiledProgram::call(llvm::StringRef entry,
                                                  llvm::ArrayRef<tprt::Array> inputs) {
  CallResults values;
  if (llvm::Error error = guarded([&] { values = impl->call(entry.str(), inputs); }))
    return error;
  return values;
}
