//===- Library.cpp - NVIDIA's libraries, found at run time -----------------===//

#include "Library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <glob.h>

using namespace tprt::cuda;

namespace {

std::string environment(const char *variable) {
  const char *value = std::getenv(variable);
  return value ? value : "";
}

/// Files of this name in Python's packages of NVIDIA.
std::vector<std::string> filesOfPackages(const std::string &name) {
  std::vector<std::string> folders = {"/usr/local/lib/python3*/dist-packages",
                                      "/usr/lib/python3*/dist-packages"};
  if (const std::string home = environment("HOME"); !home.empty())
    folders.insert(folders.begin(), home + "/.local/lib/python3*/site-packages");
  if (const std::string active = environment("VIRTUAL_ENV"); !active.empty())
    folders.insert(folders.begin(), active + "/lib/python3*/site-packages");
  std::vector<std::string> files;
  for (const std::string &folder : folders) {
    glob_t found = {};
    if (glob((folder + "/nvidia/*/lib/" + name).c_str(), 0, nullptr, &found) == 0)
      files.insert(files.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
  }
  return files;
}

} // namespace

Library::Library(const char *variable, const std::vector<std::string> &names) {
  auto open = [&](const std::string &file) {
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle)
      opened = file;
    else
      problemText += (problemText.empty() ? "" : "; ") + std::string(dlerror());
    return handle != nullptr;
  };
  if (const std::string chosen = environment(variable); !chosen.empty()) {
    open(chosen);
    return;
  }
  for (const std::string &name : names)
    if (open(name))
      return;
  for (const std::string &name : names)
    for (const std::string &file : filesOfPackages(name))
      if (open(file))
        return;
}

void *Library::find(const char *symbol) const { return dlsym(handle, symbol); }

std::string Library::lacks(const char *symbol, const char *newer) const {
  return opened + " lacks the function " + symbol + ": install " + newer;
}
