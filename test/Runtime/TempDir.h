//===- TempDir.h - files of one test ----------------------------*- C++ -*-===//

#ifndef TPRT_TEST_RUNTIME_TEMPDIR_H
#define TPRT_TEST_RUNTIME_TEMPDIR_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tprt_test {

class TempDir {
public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tprt-test-XXXXXX").string();
    directory = mkdtemp(pattern.data());
  }
  ~TempDir() { std::filesystem::remove_all(directory); }
  TempDir(const TempDir &) = delete;
  TempDir &operator=(const TempDir &) = delete;

  const std::string &path() const { return directory; }
  std::string file(const std::string &name) const { return directory + "/" + name; }

  void write(const std::string &name, const std::string &content) const {
    std::ofstream(file(name), std::ios::binary) << content;
  }
  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(file(name), std::ios::binary).rdbuf();
    return text.str();
  }

private:
  std::string directory;
};

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_TEMPDIR_H
