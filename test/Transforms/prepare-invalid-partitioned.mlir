// RUN: tp-opt --verify-diagnostics --tp-prepare %s
tp.mesh @mesh <"tp"=2>
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'comm.all_reduce': the module is partitioned already, give the source or phase plan}}
  %0 = comm.all_reduce sum %x over (tp) : tensor<8xf32>
  return %0 : tensor<8xf32>
}
