// What has no value ends the program with one located error and status 3: loops
// that would never end and scalar divisions are checked before, a division in a
// kernel is a signal of the processor.
// RUN: not tp-run %s --mesh tp=2 --plan replicated --entry step --input 1=0 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not tp-run %s --mesh tp=2 --plan replicated --entry scalar --input 0=0 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not tp-run %s --mesh tp=2 --plan replicated --entry kernel --input 1=0 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: tp-run %s --mesh tp=2 --plan replicated --entry step --input 1=2 --compare | FileCheck %s --check-prefix=GOOD
// RUN: tp-run %s --mesh tp=2 --plan replicated --entry scalar --input 0=-3 --compare | FileCheck %s --check-prefix=GOOD
// RUN: tp-run %s --mesh tp=2 --plan replicated --entry kernel --input 1=-3 --compare | FileCheck %s --check-prefix=GOOD

// STEP: error: {{.*}}arithmetic-faults.mlir:[[# @LINE + 10]]:{{[0-9]+}}: step of scf.for is 0, below 1
// SCALAR: error: {{.*}}arithmetic-faults.mlir:[[# @LINE + 18]]:{{[0-9]+}}: magnitude of the divisor of arith.divsi is 0, below 1
// KERNEL: error: {{.*}}arithmetic-faults.mlir:{{.*}}: an integer is divided by zero
// KERNEL-NOT: Stack dump
// GOOD: equal to the unsharded program

func.func @step(%x: tensor<4xf32>, %by: i64) -> tensor<4xf32> {
  %begin = arith.constant 0 : index
  %end = arith.constant 5 : index
  %step = arith.index_cast %by : i64 to index
  %0 = scf.for %i = %begin to %end step %step iter_args(%y = %x) -> tensor<4xf32> {
    %s = arith.addf %y, %x : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func @scalar(%by: i64, %x: tensor<4xi64>) -> tensor<4xi64> {
  %c7 = arith.constant 7 : i64
  %q = arith.divsi %c7, %by : i64
  %e = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%q : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %0 = arith.addi %f, %x : tensor<4xi64>
  return %0 : tensor<4xi64>
}

func.func @kernel(%x: tensor<4xi64>, %by: i64) -> tensor<4xi64> {
  %e = tensor.empty() : tensor<4xi64>
  %d = linalg.fill ins(%by : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %0 = arith.divsi %x, %d : tensor<4xi64>
  return %0 : tensor<4xi64>
}
