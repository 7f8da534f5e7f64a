//===- tp-lsp-server.cpp - Programs in an editor --------------------------===//
//
// Speaks the language server protocol on stdin and stdout: diagnostics, hovers
// and definitions for .mlir files with the dialects that tp knows.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tp/Driver/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tp::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
