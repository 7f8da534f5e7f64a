// Blocks that the program asks for are not those of ranks: 7 elements in 3 blocks
// of 3, 3 and 1 are whole on a rank that finds the largest of each, and one block
// is looked for on all ranks, one of which has nothing of it.
// RUN: echo '{"shard": {"*.arg0": "[_, tp]"}}' > %t.json
// RUN: for f in three one; do for n in 2 3 8; do for how in "" --interpret; do \
// RUN:   tp-run %s --plan %t.json --mesh tp=$n --entry $f --compare $how 2>&1 || exit 1; done; done; done | FileCheck %s
// CHECK-COUNT-12: equal to the unsharded program

func.func @three(%x: tensor<2x7xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>) {
  %v, %i = nn.argmax %x : tensor<2x7xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  return %v, %i : tensor<2x3xf32>, tensor<2x3xi64>
}

func.func @one(%x: tensor<2x25xf32>) -> (tensor<2x1xf32>, tensor<2x1xi64>) {
  %v, %i = nn.argmax %x : tensor<2x25xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return %v, %i : tensor<2x1xf32>, tensor<2x1xi64>
}
