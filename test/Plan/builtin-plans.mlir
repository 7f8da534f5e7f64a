// The plan megatron goes by roles.
//
// RUN: split-file %s %t && cd %t
// RUN: tp-opt model.mlir --tp-apply-plan="plan=megatron mesh=tp=2" | FileCheck model.mlir
// RUN: tp-opt heads.mlir --tp-apply-plan="plan=megatron mesh=tp=4" | FileCheck heads.mlir --check-prefix=BOTH
// RUN: tp-opt heads.mlir --tp-apply-plan="plan=megatron mesh=dp=2,tp=3" | FileCheck heads.mlir --check-prefix=GROUP
// RUN: tp-opt heads.mlir --tp-apply-plan="plan=megatron mesh=tp=2" | FileCheck heads.mlir --check-prefix=ALONE
// RUN: tp-opt heads.mlir --tp-apply-plan="plan=megatron mesh=tp=1" | FileCheck heads.mlir --check-prefix=ONE
// RUN: not tp-opt model.mlir --tp-apply-plan="plan=megatron" 2>&1 | FileCheck %s --check-prefix=NO-MESH
// RUN: not tp-opt model.mlir --tp-apply-plan="plan=megatron mesh=dp=2" 2>&1 | FileCheck %s --check-prefix=NO-AXIS
// RUN: not tp-opt model.mlir --tp-apply-plan="plan=no-such mesh=tp=2" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tp-opt plain.mlir --tp-apply-plan="plan=megatron mesh=tp=2" 2>&1 | FileCheck %s --check-prefix=NO-ROLES
// RUN: not tp-opt role.mlir --tp-apply-plan="plan=megatron mesh=tp=2" 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not tp-opt rank.mlir --tp-apply-plan="plan=megatron mesh=tp=2" 2>&1 | FileCheck %s --check-prefix=RANK
// NO-MESH: error: {{.*}}the built-in plan "megatron" needs --mesh, for example --mesh tp=2
// NO-AXIS: error: the plan "megatron" cuts on axis "tp", which the mesh does not have
// UNKNOWN: error: {{.*}}"no-such"{{.*}}cannot read the plan: No such file or directory
// UNKNOWN: note: {{.*}}built-in plans: replicated, megatron, megatron-sp
// RUN: tp-opt residual.mlir --tp-apply-plan="plan=megatron-sp mesh=tp=2" | FileCheck residual.mlir --check-prefix=SP
// RUN: tp-opt residual.mlir --tp-apply-plan="plan=megatron mesh=tp=2" | FileCheck residual.mlir --check-prefix=NO-SP
// RUN: not tp-opt model.mlir --tp-apply-plan="plan=megatron-sp mesh=dp=2" 2>&1 | FileCheck %s --check-prefix=NO-AXIS-SP
// NO-AXIS-SP: error: the plan "megatron-sp" cuts on axis "tp", which the mesh does not have
// NO-ROLES: error: the plan "megatron" needs arguments with a tp.role, which tp-import sets; give a plan file instead
// ROLE: role.mlir:1:14: error: unknown tp.role "mlp_diagonal", known are embedding, head, attention_query,{{.*}} kv_cache, residual
// RANK: rank.mlir:1:14: error: f.arg0, 'tensor<8xf32>': a sharding of rank 2 does not fit a value of rank 1

//--- model.mlir
// CHECK: tp.mesh @mesh <"tp"=2>
// CHECK: func.func @decode(
// CHECK-SAME: tp.name = "embed", tp.role = "embedding", tp.sharding = #tp.sharding<[tp, _]>
// CHECK-SAME: tp.role = "attention_query", tp.sharding = #tp.sharding<[tp, _, _, _]>
// CHECK-SAME: tp.role = "attention_key", tp.sharding = #tp.sharding<[tp, _, _]>
// CHECK-SAME: tp.role = "attention_value", tp.sharding = #tp.sharding<[tp, _, _]>
// CHECK-SAME: tp.role = "attention_output", tp.sharding = #tp.sharding<[_, tp, _, _]>
// CHECK-SAME: tp.role = "mlp_column", tp.sharding = #tp.sharding<[tp, _]>
// CHECK-SAME: tp.role = "mlp_row", tp.sharding = #tp.sharding<[_, tp]>
// CHECK-SAME: tp.role = "norm", tp.sharding = #tp.sharding<[_]>
// CHECK-SAME: tp.role = "head", tp.sharding = #tp.sharding<[tp, _]>
// CHECK-SAME: tp.role = "kv_cache", tp.sharding = #tp.sharding<[_, tp, _, _]>
// CHECK-SAME: tp.role = "attention_query_bias", tp.sharding = #tp.sharding<[tp, _, _]>
// CHECK-SAME: tp.role = "attention_key_bias", tp.sharding = #tp.sharding<[tp, _]>
// CHECK-SAME: tp.role = "attention_value_bias", tp.sharding = #tp.sharding<[tp, _]>
// CHECK-SAME: tp.role = "attention_output_bias", tp.sharding = #tp.sharding<[_]>
// CHECK-SAME: tp.role = "mlp_column_bias", tp.sharding = #tp.sharding<[tp]>
// CHECK-SAME: tp.role = "mlp_row_bias", tp.sharding = #tp.sharding<[_]>
// CHECK-SAME: tp.role = "position_embedding", tp.sharding = #tp.sharding<[_, _]>
// CHECK-SAME: tp.role = "head_bias", tp.sharding = #tp.sharding<[tp]>
// Inputs are replicated, parameters without role are left to propagation.
// CHECK-SAME: tensor<1xi64> {tp.sharding = #tp.sharding<[_]>}
// CHECK-SAME: tensor<4xf32> {tp.kind = "parameter", tp.name = "table"}
// CHECK-SAME: -> (tensor<1xi64>, tensor<1x2x8x4xf32> {tp.alias = 9 : i64, tp.sharding = #tp.sharding<[_, tp, _, _]>})
func.func @decode(
    %0: tensor<16x8xf32> {tp.kind = "parameter", tp.name = "embed", tp.role = "embedding"},
    %1: tensor<2x2x4x8xf32> {tp.kind = "parameter", tp.name = "q", tp.role = "attention_query"},
    %2: tensor<2x4x8xf32> {tp.kind = "parameter", tp.name = "k", tp.role = "attention_key"},
    %3: tensor<2x4x8xf32> {tp.kind = "parameter", tp.name = "v", tp.role = "attention_value"},
    %4: tensor<8x2x2x4xf32> {tp.kind = "parameter", tp.name = "o", tp.role = "attention_output"},
    %5: tensor<12x8xf32> {tp.kind = "parameter", tp.name = "up", tp.role = "mlp_column"},
    %6: tensor<8x12xf32> {tp.kind = "parameter", tp.name = "down", tp.role = "mlp_row"},
    %7: tensor<8xf32> {tp.kind = "parameter", tp.name = "norm", tp.role = "norm"},
    %8: tensor<16x8xf32> {tp.kind = "parameter", tp.name = "head", tp.role = "head"},
    %9: tensor<1x2x8x4xf32> {tp.kind = "state", tp.name = "cache.0", tp.role = "kv_cache"},
    %b0: tensor<2x2x4xf32> {tp.kind = "parameter", tp.name = "q.bias", tp.role = "attention_query_bias"},
    %b1: tensor<2x4xf32> {tp.kind = "parameter", tp.name = "k.bias", tp.role = "attention_key_bias"},
    %b2: tensor<2x4xf32> {tp.kind = "parameter", tp.name = "v.bias", tp.role = "attention_value_bias"},
    %b3: tensor<8xf32> {tp.kind = "parameter", tp.name = "o.bias", tp.role = "attention_output_bias"},
    %b4: tensor<12xf32> {tp.kind = "parameter", tp.name = "up.bias", tp.role = "mlp_column_bias"},
    %b5: tensor<8xf32> {tp.kind = "parameter", tp.name = "down.bias", tp.role = "mlp_row_bias"},
    %b6: tensor<32x8xf32> {tp.kind = "parameter", tp.name = "positions", tp.role = "position_embedding"},
    %b7: tensor<16xf32> {tp.kind = "parameter", tp.name = "head.bias", tp.role = "head_bias"},
    %10: tensor<1xi64>,
    %11: tensor<4xf32> {tp.kind = "parameter", tp.name = "table"})
    -> (tensor<1xi64>, tensor<1x2x8x4xf32> {tp.alias = 9 : i64}) {
  return %10, %9 : tensor<1xi64>, tensor<1x2x8x4xf32>
}

//--- residual.mlir
// The residual stream is cut on the sequence, after all that parameters want;
// one position is not.
// SP: func.func @prefill(%{{.*}}: tensor<1x5x8xf32> {tp.sharding = #tp.sharding<[_, _, _]>}, %{{.*}}: tensor<12x8xf32> {{.*}}#tp.sharding<[tp, _]>}
// SP: arith.addf {{.*}} {tp.name = "prefill.residual", tp.priority = [1], tp.role = "residual", tp.sharding = [#tp.sharding<[_, tp, _]>]}
// SP: func.func @decode
// SP: arith.addf {{.*}} {tp.name = "decode.residual", tp.role = "residual"}
// NO-SP: arith.addf {{.*}} {tp.name = "prefill.residual", tp.role = "residual"}
func.func @prefill(%x: tensor<1x5x8xf32>, %w: tensor<12x8xf32> {tp.kind = "parameter", tp.name = "up", tp.role = "mlp_column"}) -> tensor<1x5x8xf32> {
  %0 = arith.addf %x, %x {tp.name = "prefill.residual", tp.role = "residual"} : tensor<1x5x8xf32>
  return %0 : tensor<1x5x8xf32>
}
func.func @decode(%x: tensor<1x1x8xf32>, %w: tensor<12x8xf32> {tp.kind = "parameter", tp.name = "up", tp.role = "mlp_column"}) -> tensor<1x1x8xf32> {
  %0 = arith.addf %x, %x {tp.name = "decode.residual", tp.role = "residual"} : tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}

//--- heads.mlir
// Two kv heads with three query heads each: four ranks have at most two query
// heads, three ranks too if every one has all keys and values.
// BOTH-COUNT-1: tp.role = "attention_query", tp.sharding = #tp.sharding<[tp:(1)2, tp:(2)2, _, _]>
// BOTH-SAME: tp.role = "attention_key", tp.sharding = #tp.sharding<[tp:(1)2, _, _]>
// BOTH-SAME: tp.role = "attention_value", tp.sharding = #tp.sharding<[tp:(1)2, _, _]>
// BOTH-SAME: tp.role = "attention_output", tp.sharding = #tp.sharding<[_, tp:(1)2, tp:(2)2, _]>
// BOTH-SAME: tp.role = "kv_cache", tp.sharding = #tp.sharding<[_, tp:(1)2, _, _]>
// GROUP-COUNT-1: tp.role = "attention_query", tp.sharding = #tp.sharding<[_, tp, _, _]>
// GROUP-SAME: tp.role = "attention_key", tp.sharding = #tp.sharding<[_, _, _]>
// GROUP-SAME: tp.role = "attention_value", tp.sharding = #tp.sharding<[_, _, _]>
// GROUP-SAME: tp.role = "attention_output", tp.sharding = #tp.sharding<[_, _, tp, _]>
// GROUP-SAME: tp.role = "kv_cache", tp.sharding = #tp.sharding<[_, _, _, _]>
// ONE: tp.role = "attention_query", tp.sharding = #tp.sharding<[_, _, _, _]>
// ALONE-COUNT-1: tp.role = "attention_query", tp.sharding = #tp.sharding<[tp, _, _, _]>
// ALONE-SAME: tp.role = "attention_key", tp.sharding = #tp.sharding<[tp, _, _]>
// ALONE-SAME: tp.role = "attention_output", tp.sharding = #tp.sharding<[_, tp, _, _]>
// ALONE-SAME: tp.role = "kv_cache", tp.sharding = #tp.sharding<[_, tp, _, _]>
func.func @decode(
    %0: tensor<2x3x4x8xf32> {tp.kind = "parameter", tp.name = "q", tp.role = "attention_query"},
    %1: tensor<2x4x8xf32> {tp.kind = "parameter", tp.name = "k", tp.role = "attention_key"},
    %2: tensor<2x4x8xf32> {tp.kind = "parameter", tp.name = "v", tp.role = "attention_value"},
    %3: tensor<8x2x3x4xf32> {tp.kind = "parameter", tp.name = "o", tp.role = "attention_output"},
    %4: tensor<1x2x8x4xf32> {tp.kind = "state", tp.name = "cache.0", tp.role = "kv_cache"})
    -> (tensor<1x2x8x4xf32> {tp.alias = 4 : i64}) {
  return %4 : tensor<1x2x8x4xf32>
}

//--- plain.mlir
func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %x : tensor<8x4xf32>
}
//--- role.mlir
func.func @f(%x: tensor<8x4xf32> {tp.kind = "parameter", tp.role = "mlp_diagonal"}) {
  return
}
//--- rank.mlir
func.func @f(%x: tensor<8xf32> {tp.kind = "parameter", tp.role = "mlp_row"}) {
  return
}
