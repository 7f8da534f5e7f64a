//===- NN.h - The nn dialect -----------------------------------*- C++ -*-===//

#ifndef DIALECTS_NN_NN_H
#define DIALECTS_NN_NN_H

#include "dialects/TP/TP.h"

#include "dialects/NN/NNDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/NN/NNOps.h.inc"

#endif // DIALECTS_NN_NN_H
