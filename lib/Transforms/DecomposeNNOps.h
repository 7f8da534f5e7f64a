//===- DecomposeNNOps.h - Decompositions, one function per op ---*- C++ -*-===//

#ifndef TP_LIB_TRANSFORMS_DECOMPOSENNOPS_H
#define TP_LIB_TRANSFORMS_DECOMPOSENNOPS_H

#include "NNBuilder.h"
#include "dialects/NN/NN.h"

namespace mlir::tp {

SmallVector<Value> decompose(NNBuilder &b, nn::EmbeddingOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::RmsNormOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::LayerNormOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::RotaryTableOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::RopeOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::CacheUpdateOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::AttentionOp op);
SmallVector<Value> decompose(NNBuilder &b, nn::ArgmaxOp op);

} // namespace mlir::tp

#endif // TP_LIB_TRANSFORMS_DECOMPOSENNOPS_H
