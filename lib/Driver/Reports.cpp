//===- Reports.cpp - The outputs of --report -------------------------------===//

#include "tp/Driver/Program.h"

#include "tp/Report/Report.h"
#include "tp/Support/OutputFile.h"

#include <unistd.h>

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;

int64_t tp::getMachineMemory() {
  return int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGE_SIZE));
}

/// Writes one form of the report, unless `path` is empty.
static Error writeForm(StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> printForm) {
  if (path.empty())
    return Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  printForm(os);
  return writeOutputFile(path, text);
}

Error tp::writeReport(const Report &report, const ReportOptions &options, bool toStderr) {
  if (Error error =
          writeForm(options.jsonFile, [&](llvm::raw_ostream &os) { printReportJson(report, os); }))
    return error;
  if (Error error =
          writeForm(options.htmlFile, [&](llvm::raw_ostream &os) { printReportHtml(report, os); }))
    return error;
  // Last, so that nothing is printed when a file cannot be written.
  if (options.text && toStderr)
    printReportText(report, llvm::errs());
  return writeForm(options.text && !toStderr ? "-" : "",
                   [&](llvm::raw_ostream &os) { printReportText(report, os); });
}
