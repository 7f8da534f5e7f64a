//===- main.cpp - the main of a linked executable -------------------------===//
//
// An archive of its own, so that tools and tests that have a main can link the
// runtime.
//
//===----------------------------------------------------------------------===//

#include "tprt/tprt.h"

extern "C" const tprt_module_t tprt_module;

int main(int argc, char **argv) { return tprt_main(argc, argv, &tprt_module); }
