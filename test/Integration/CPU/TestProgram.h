//===- TestProgram.h - Programs of the comm phase, compiled and run -*- C++ -*-===//
//
// Small programs are compiled to shared objects and run on threads that are the
// ranks, with the runtime of this executable. Expected values are computed by
// the tests.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_INTEGRATION_CPU_TESTPROGRAM_H
#define TEST_INTEGRATION_CPU_TESTPROGRAM_H

#include "CompileModule.h"
#include "tprt/session.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <unistd.h>

template <typename T> constexpr int32_t kDType = TPRT_F32;
template <> inline constexpr int32_t kDType<int64_t> = TPRT_I64;

template <typename T>
tprt::Array makeArray(std::vector<int64_t> shape, const std::vector<T> &values) {
  tprt::Array array(kDType<T>, std::move(shape));
  EXPECT_EQ(array.count(), int64_t(values.size()));
  std::memcpy(array.data.data(), values.data(), values.size() * sizeof(T));
  return array;
}

template <typename T> std::vector<T> valuesOf(const tprt::Array &array) {
  return std::vector<T>(array.as<T>(), array.as<T>() + array.count());
}

/// first, first + step, ...
inline std::vector<float> ramp(int64_t count, float first = 0, float step = 1) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = first + step * i;
  return values;
}

/// A compiled and loaded program.
class Program {
public:
  explicit Program(const std::string &text, tprt::SessionOptions options = {},
                   const std::string &cpu = "native") {
    static int number = 0;
    std::string path = testing::TempDir() + "cpu" + std::to_string(getpid()) + "." +
                       std::to_string(number++) + ".so";
    std::string problem = compileModule(text, path, cpu);
    if (!problem.empty())
      throw std::runtime_error(problem);
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      throw std::runtime_error(dlerror());
    unlink(path.c_str());
    options.checkCollectives = true;
    auto *module = static_cast<const tprt_module_t *>(dlsym(handle, TPRT_MODULE_SYMBOL));
    session = std::make_unique<tprt::Session>(*module, options);
  }
  ~Program() {
    session.reset();
    if (handle)
      dlclose(handle);
  }

  tprt::Session *operator->() { return session.get(); }

  /// Runs the only entry on these inputs, in the order of its arguments.
  std::vector<tprt::Array> run(const std::vector<tprt::Array> &inputs) {
    for (size_t i = 0; i < inputs.size(); ++i)
      session->setInput(0, int(i), inputs[i]);
    session->call(0);
    std::vector<tprt::Array> results;
    for (size_t i = 0; i < session->manifest().entries[0].results.size(); ++i)
      results.push_back(session->result(0, int(i)));
    return results;
  }

private:
  void *handle = nullptr;
  std::unique_ptr<tprt::Session> session;
};

/// `text` with each first string replaced by the second of its pair.
template <typename... More>
std::string replace(std::string text, const std::string &from, const std::string &to,
                    const More &...more) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  if constexpr (sizeof...(more) > 0)
    return replace(text, more...);
  else
    return text;
}

inline std::string withRanks(int ranks, const std::string &text) {
  return "tp.mesh @m <\"tp\"=" + std::to_string(ranks) + ">\n" + text;
}

#endif // TEST_INTEGRATION_CPU_TESTPROGRAM_H
