//===- CompileModule.h - Text to a loaded module ---------------*- C++ -*-===//

#ifndef TEST_INTEGRATION_CPU_COMPILEMODULE_H
#define TEST_INTEGRATION_CPU_COMPILEMODULE_H

#include <string>

/// Compiles a program at the comm phase into a shared object at `path`. Returns
/// the diagnostics, empty where it succeeded.
std::string compileModule(const std::string &text, const std::string &path,
                          const std::string &cpu = "native");

#endif // TEST_INTEGRATION_CPU_COMPILEMODULE_H
