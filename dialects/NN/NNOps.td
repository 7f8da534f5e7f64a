//===- NNOps.td - Transformer ops -----------------------------*- tablegen -*-===//

#ifndef NN_OPS_TD
#define NN_OPS_TD

include "dialects/NN/NNDialect.td"
include "dialects/TP/TPInterfaces.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Every op has a sharding rule (Rules.cpp) and a definition in linalg (Decompose.cpp): `decomposeOperation` builds it at
/// the builder's place and returns a value per result, of the same type. Kernels are tested against it, and every shape
/// or type without a kernel is lowered through it.
class NN_Op<string mnemonic, list<string> ruleMethods = [], list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, !listconcat(traits, [Pure,
        DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
        DeclareOpInterfaceMethods<TP_ShardingRuleOpInterface, !listconcat(["getShardingRule"], ruleMethods)>])> {
  let hasVerifier = 1;
}

class NN_Float<list<int> ranks> : RankedTensorOf<[AnyFloat], [HasAnyRankOfPred<ranks>]>;
class NN_Int<list<int> ranks> : RankedTensorOf<[I64], [HasAnyRankOfPred<ranks>]>;
def NN_Ordered : RankedTensorOf<[AnyFloat, I8, I16, I32, I64]>;

def NN_EmbeddingOp : NN_Op<"embedding", ["createLocal"]> {
  let summary = "rows of a table";
  let description = [{
    `result[i..., :] = table[ids[i...] - row_offset, :]`, zero where that is no row of the table. `row_offset` is 0 when
    absent; a rank that holds a block of rows passes the block's offset, and the sum over ranks is the look-up.

    ```mlir
    %h = nn.embedding %ids, %table : tensor<1x8xi64>, tensor<100x16xf32> -> tensor<1x8x16xf32>
    ```

    Constraints: the result has the shape of `ids` followed by the table's second dimension, and its element type.
  }];
  let arguments = (ins RankedTensorOf<[I64]>:$ids, NN_Float<[2]>:$table, Optional<Index>:$row_offset);
  let results = (outs RankedTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$ids `,` $table (`row_offset` $row_offset^)? attr-dict `:` type($ids) `,` type($table) `->` type($result)";
}

def NN_PowerSumsOp : NN_Op<"power_sums"> {
  let summary = "sums of powers of each row";
  let description = [{
    `result[..., j] = sum over d of input[..., d]^powers[j]`, taken in the result's element type. Where ranks hold
    blocks of the last dimension, their results are parts of a sum: what a norm of such rows has to communicate.

    ```mlir
    %s = nn.power_sums %x powers [2] : tensor<1x8x16xbf16> -> tensor<1x8x1xf32>
    %t = nn.power_sums %x powers [1, 2] : tensor<1x8x16xf32> -> tensor<1x8x2xf64>
    ```

    Constraints: powers are 1 or 2, at least one; the result has the input's shape with one element per power in the last
    dimension; its element type is f32 or f64 and not narrower than the input's.
  }];
  let arguments = (ins RankedTensorOf<[AnyFloat]>:$input, DenseI64ArrayAttr:$powers);
  let results = (outs RankedTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$input `powers` $powers attr-dict `:` type($input) `->` type($result)";
}

def NN_RmsNormOp : NN_Op<"rms_norm", ["decomposeWindows"], [AllTypesMatch<["input", "result"]>]> {
  let summary = "root-mean-square normalisation over the last dimension";
  let description = [{
    `result = input / sqrt(mean(input^2) + epsilon) * (weight + weight_offset)`, the mean over the last dimension;
    computed in f32. `weight_offset` is 0 when absent; a model that stores its weights around 0 says 1.

    With `sums` the mean is `sums[..., 0] / size`, whatever the input: `sums` are those of whole rows of `size` elements,
    `nn.power_sums` with powers [2], of which the input has some.

    ```mlir
    %y = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<1x8x16xf32>, tensor<16xf32>
    %z = nn.rms_norm %x, %w epsilon 1.0e-06 weight_offset 1.0 : tensor<1x8x16xf32>, tensor<16xf32>
    %p = nn.rms_norm %x, %w sums %s of 32 epsilon 1.0e-05 : tensor<1x8x16xf32>, tensor<16xf32>, tensor<1x8x1xf32>
    ```

    Constraints: `weight` has the size of the last dimension; epsilon is not negative; weight_offset is finite; `sums` has
    the input's shape but for the last dimension, which is 1; `size` is there where `sums` is, and not negative.
  }];
  let arguments = (ins RankedTensorOf<[AnyFloat]>:$input, NN_Float<[1]>:$weight,
                   Optional<RankedTensorOf<[F32, F64]>>:$sums, OptionalAttr<I64Attr>:$size, F64Attr:$epsilon,
                   DefaultValuedAttr<F64Attr, "0.0">:$weight_offset);
  let results = (outs RankedTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input `,` $weight (`sums` $sums^ `of` $size)? `epsilon` $epsilon (`weight_offset` $weight_offset^)? attr-dict `:` type($input) `,` type($weight) (`,` type($sums)^)?";
}

def NN_LayerNormOp : NN_Op<"layer_norm", ["decomposeWindows"], [AllTypesMatch<["input", "result"]>, AllTypesMatch<["weight", "bias"]>]> {
  let summary = "normalisation over the last dimension to mean 0 and variance 1";
  let description = [{
    `result = (input - mean) / sqrt(variance + epsilon) * weight + bias`, with the mean and the (biased) variance,
    mean((input - mean)^2), over the last dimension; computed in f32.

    With `sums`, s = `sums[..., 0] / size` is the mean and max(`sums[..., 1] / size` - s^2, 0) the variance, whatever the
    input: `sums` are those of whole rows of `size` elements, `nn.power_sums` with powers [1, 2], of which the input has
    some. In f64 this is as exact for narrower inputs as the differences are in f32.

    ```mlir
    %y = nn.layer_norm %x, %w, %b epsilon 1.0e-05 : tensor<1x8x16xf32>, tensor<16xf32>
    %p = nn.layer_norm %x, %w, %b sums %s of 32 epsilon 1.0e-05 : tensor<1x8x16xf32>, tensor<16xf32>, tensor<1x8x2xf64>
    ```

    Constraints: `weight` and `bias` have the size of the last dimension; epsilon is not negative; `sums` has the input's
    shape but for the last dimension, which is 2; `size` is there where `sums` is, and not negative.
  }];
  let arguments = (ins RankedTensorOf<[AnyFloat]>:$input, NN_Float<[1]>:$weight, NN_Float<[1]>:$bias,
                   Optional<RankedTensorOf<[F32, F64]>>:$sums, OptionalAttr<I64Attr>:$size, F64Attr:$epsilon);
  let results = (outs RankedTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input `,` $weight `,` $bias (`sums` $sums^ `of` $size)? `epsilon` $epsilon attr-dict `:` type($input) `,` type($weight) (`,` type($sums)^)?";
}

def NN_RotaryTableOp : NN_Op<"rotary_table", [], [AllTypesMatch<["cos", "sin"]>]> {
  let summary = "cosines and sines of rotary position embedding";
  let description = [{
    For batch row b, new position s and pair i of R/2: angle = (pos[b] + s) * f[i], computed in f32 as the product of an
    f32 position and an f32 frequency. The frequencies are theta^(-2i/R), or given one by one where they are scaled.

    ```mlir
    %cos, %sin = nn.rotary_table %pos theta 10000.0 : tensor<1xi64> -> tensor<1x8x32xf32>
    %c, %s = nn.rotary_table %pos frequencies [1.0, 1.25e-02] : tensor<1xi64> -> tensor<1x8x2xf32>
    ```

    Constraints: results are [B, S, R/2] of f32; either theta, which is positive, or R/2 frequencies, which are finite and
    not negative.
  }];
  let arguments = (ins NN_Int<[1]>:$pos, OptionalAttr<F64Attr>:$theta, OptionalAttr<DenseF64ArrayAttr>:$frequencies);
  let results = (outs NN_Float<[3]>:$cos, NN_Float<[3]>:$sin);
  let assemblyFormat = "$pos (`theta` $theta^)? (`frequencies` $frequencies^)? attr-dict `:` type($pos) `->` type($cos)";
}

def NN_RopeOp : NN_Op<"rope", [], [AllTypesMatch<["input", "result"]>, AllTypesMatch<["cos", "sin"]>]> {
  let summary = "rotary position embedding, half-split";
  let description = [{
    On input [B, S, ..., D] and tables [B, S, R/2]: with x1, x2 the halves of the first R elements of the last dimension
    and y the rest, result = (x1 * cos - x2 * sin, x2 * cos + x1 * sin, y).

    ```mlir
    %q1 = nn.rope %q, %cos, %sin : tensor<1x8x3x3x64xf32>, tensor<1x8x32xf32>
    ```

    Constraints: `cos` and `sin` are [B, S, R/2] with R <= D.
  }];
  let arguments = (ins RankedTensorOf<[AnyFloat]>:$input, NN_Float<[3]>:$cos, NN_Float<[3]>:$sin);
  let results = (outs RankedTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input `,` $cos `,` $sin attr-dict `:` type($input) `,` type($cos)";
}

def NN_CacheUpdateOp : NN_Op<"cache_update", ["createLocal"], [AllTypesMatch<["cache", "result"]>]> {
  let summary = "new keys or values go into the cache at each row's position";
  let description = [{
    `result = cache`, with `result[b, k, pos[b] + s, d] = update[b, s, k, d]`. It is an error at run time when
    pos[b] < 0 or pos[b] + S > T.

    A rank that holds a block of the positions passes that of the first one, `position_offset`, and how many there are in
    all blocks, `capacity`, which then takes the place of T: it writes the new positions that are in its block.

    ```mlir
    %c1 = nn.cache_update %c, %k, %pos : tensor<1x3x256x64xf32>, tensor<1x8x3x64xf32>, tensor<1xi64>
    %c2 = nn.cache_update %b, %k, %pos position_offset %first of 256
      : tensor<1x3x64x64xf32>, tensor<1x8x3x64xf32>, tensor<1xi64>
    ```

    Constraints: cache is [B, K, T, D], update [B, S, K, D], pos [B]; S <= T, or S <= capacity; equal element types;
    `capacity` is there where `position_offset` is.
  }];
  let arguments = (ins NN_Float<[4]>:$cache, NN_Float<[4]>:$update, NN_Int<[1]>:$pos, Optional<Index>:$position_offset,
                   OptionalAttr<I64Attr>:$capacity);
  let results = (outs NN_Float<[4]>:$result);
  let assemblyFormat = "$cache `,` $update `,` $pos (`position_offset` $position_offset^ `of` $capacity)? attr-dict `:` type($cache) `,` type($update) `,` type($pos)";
}

def NN_AttentionOp : NN_Op<"attention", ["createLocal", "decomposeWindows"], [AllTypesMatch<["query", "result"]>, AllTypesMatch<["key", "value"]>]> {
  let summary = "grouped-query attention, causal over a cache or in both directions";
  let description = [{
    For query [B, S, K, G, D], keys and values [B, K, T, D]: query s of row b is at position p = pos[b] + s and sees
    positions 0 to p, or the last `window` of them, p - window + 1 to p, where there is a window;
    `result = softmax(scale * query . key) . value`, softmax in f32. Where it is `bidirectional`, `pos` counts
    positions instead: each query of row b sees positions 0 to pos[b] - 1 (NaN where that is none).

    A rank that holds a block of the queries passes the number of the first one, `step_offset`: s counts from there.

    ```mlir
    %o = nn.attention %q, %keys, %values, %pos scale 0.125
      : tensor<1x8x3x3x64xf32>, tensor<1x3x256x64xf32>, tensor<1xi64>
    %l = nn.attention %q, %keys, %values, %pos scale 0.125 window 128
      : tensor<1x8x3x3x64xf32>, tensor<1x3x256x64xf32>, tensor<1xi64>
    %e = nn.attention %q, %keys, %values, %count bidirectional scale 0.125
      : tensor<1x8x3x3x64xf32>, tensor<1x3x8x64xf32>, tensor<1xi64>
    ```

    Constraints: shapes as above, equal element types; window is at least 1, and there is none where attention is
    bidirectional.
  }];
  let arguments = (ins NN_Float<[5]>:$query, NN_Float<[4]>:$key, NN_Float<[4]>:$value, NN_Int<[1]>:$pos,
                   Optional<Index>:$step_offset, F64Attr:$scale, OptionalAttr<I64Attr>:$window, UnitAttr:$bidirectional);
  let results = (outs NN_Float<[5]>:$result);
  let assemblyFormat = "$query `,` $key `,` $value `,` $pos (`step_offset` $step_offset^)? (`bidirectional` $bidirectional^)? `scale` $scale (`window` $window^)? attr-dict `:` type($query) `,` type($key) `,` type($pos)";
}

def NN_AttentionBlocksOp : NN_Op<"attention_blocks", ["createLocal"], [AllTypesMatch<["key", "value"]>, AttrSizedOperandSegments]> {
  let summary = "attention over each block of the positions";
  let description = [{
    `nn.attention` up to where blocks of the positions [0, T) are brought together. For block c of C, over the positions
    of the block that a query sees, with w = exp(scale * query . key - largest):

    - `largest[c, b, s, k, g]` is the largest scale * query . key, -inf where the query sees none of the block,
    - `sums[c, b, s, k, g, :]` is the sum of w * value, in its last element the sum of w.

    The blocks are any C that cover the positions in order. A rank that has one of them passes the position of its first
    one, `position_offset`, and where its keys and values end with padding how many of them are none, `extent`.

    ```mlir
    %sums, %largest = nn.attention_blocks %q, %keys, %values, %pos position_offset %first scale 0.125
      : tensor<1x8x3x3x64xf32>, tensor<1x3x64x64xf32>, tensor<1xi64> -> tensor<1x1x8x3x3x65xf32>, tensor<1x1x8x3x3xf32>
    ```

    Constraints: those of `nn.attention`; results are of f64 where the query is, else of f32; at least one block.
  }];
  let arguments = (ins NN_Float<[5]>:$query, NN_Float<[4]>:$key, NN_Float<[4]>:$value, NN_Int<[1]>:$pos,
                   Optional<Index>:$step_offset, Optional<Index>:$position_offset, Optional<Index>:$extent, F64Attr:$scale,
                   OptionalAttr<I64Attr>:$window, UnitAttr:$bidirectional);
  let results = (outs NN_Float<[6]>:$sums, NN_Float<[5]>:$largest);
  let assemblyFormat = "$query `,` $key `,` $value `,` $pos (`step_offset` $step_offset^)? (`position_offset` $position_offset^)? (`extent` $extent^)? (`bidirectional` $bidirectional^)? `scale` $scale (`window` $window^)? attr-dict `:` type($query) `,` type($key) `,` type($pos) `->` type($sums) `,` type($largest)";
}

/// `to` has the dimensions of `from` without its first and last ones.
class NN_WithoutDims<string from, string to, int first, int last>
    : TypesMatchWith<to # " must have the dimensions of " # from # " that it has in common with it", from, to,
                     "::mlir::tp::nn::dropDims($_self, " # first # ", " # last # ")">;

def NN_AttentionMergeOp : NN_Op<"attention_merge", [], [NN_WithoutDims<"sums", "largest", 0, 1>,
    NN_WithoutDims<"sums", "limit", 1, 1>, NN_WithoutDims<"sums", "result", 1, 0>]> {
  let summary = "attention over blocks, brought to one scale and added";
  let description = [{
    `result[b, s, k, g, :]` is the sum over c of `sums[c, b, s, k, g, :] * exp(largest[c, b, s, k, g] -
    limit[b, s, k, g])`, without those c where a query sees nothing. `limit` is the largest of all blocks; where ranks hold
    blocks, their results are parts of a sum.

    ```mlir
    %m = nn.attention_merge %sums, %largest, %limit : tensor<1x1x8x3x3x65xf32>
    ```

    Constraints: sums [C, B, S, K, G, D + 1], largest and limit those dimensions of it that they have, equal types.
  }];
  let arguments = (ins NN_Float<[6]>:$sums, NN_Float<[5]>:$largest, NN_Float<[4]>:$limit);
  let results = (outs NN_Float<[5]>:$result);
  let assemblyFormat = "$sums `,` $largest `,` $limit attr-dict `:` type($sums)";
}

def NN_AttentionFinishOp : NN_Op<"attention_finish"> {
  let summary = "weighted sums over the sum of the weights";
  let description = [{
    `result[..., d] = input[..., d] / input[..., D]`, rounded once: attention of the sums of all blocks.

    ```mlir
    %o = nn.attention_finish %m : tensor<1x8x3x3x65xf32> -> tensor<1x8x3x3x64xbf16>
    ```

    Constraints: the result has the input's shape but for the last dimension, which is one less.
  }];
  let arguments = (ins NN_Float<[5]>:$input);
  let results = (outs NN_Float<[5]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def NN_ArgmaxOp : NN_Op<"argmax", ["createLocal", "decompose"]> {
  let summary = "largest value and its index, per block of the last dimension";
  let description = [{
    The last dimension of n elements is cut into `c` blocks (c the last dimension of the results) of ceil(n / c); for
    each, the largest value and its index in the whole dimension (plus `index_offset`, 0 when absent). Ties give the
    lowest index, NaN never wins; an empty block gives the lowest value and index 0. A plain argmax has one block.

    With `any_blocks` the blocks are any `c` that cover the dimension in order: the candidates of ranks, each of which
    has one block. Only such blocks, and a plain argmax through them, can be cut.

    ```mlir
    %v, %i = nn.argmax %x : tensor<2x100xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
    ```

    Constraints: results have the input's shape but for the last dimension, which is equal in both and at least 1; the
    values' element type is the input's, the indices are i64.
  }];
  let arguments = (ins RankedTensorOf<[AnyFloat]>:$input, Optional<Index>:$index_offset, UnitAttr:$any_blocks);
  let results = (outs RankedTensorOf<[AnyFloat]>:$values, RankedTensorOf<[I64]>:$indices);
  let assemblyFormat = "$input (`index_offset` $index_offset^)? (`any_blocks` $any_blocks^)? attr-dict `:` type($input) `->` type($values) `,` type($indices)";
}

def NN_TopKOp : NN_Op<"top_k", ["createLocal", "decompose"], [AttrSizedOperandSegments]> {
  let summary = "best elements of a dimension and their indices, in order";
  let description = [{
    Of each line along dimension `dim`, n elements, the k best ones (k the size of that dimension in the results) from the
    best on, with their indices in the whole dimension (plus `index_offset`, 0 when absent). Larger is better, with
    `smallest` smaller; integers are signed. Equal elements stand in the order of their positions. NaN is never taken, or
    with `nan_first` before all others. Only what is better than `bound` is taken; places that are left have `bound` and
    the index `missing_index`, 0 when absent.

    With `indices` these are the elements' indices instead of their positions: the elements are candidates.

    With `blocks` c the dimension is any c blocks that cover it in order, and each gives k (c * k in the results): the
    candidates of ranks, each of which has one block. Only such blocks can be cut, and through them the op without
    `blocks` and `indices`. Where they are not cut, blocks have ceil(n / c) elements.

    ```mlir
    %v, %i = nn.top_k %x dim 1 bound 0xFF800000 : f32 : tensor<2x100xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
    ```

    Constraints: results have the input's shape but for dimension `dim`, which is equal in both and a multiple of `blocks`,
    at least `blocks`; the values' element type is the input's and that of `bound`, which is not NaN, the indices are i64;
    `indices` has the input's shape; `nan_first` is of floats; `blocks` is at least 1, and 1 with `indices`.
  }];
  let arguments = (ins NN_Ordered:$input, Optional<RankedTensorOf<[I64]>>:$input_indices,
                   Optional<Index>:$index_offset, I64Attr:$dim, DefaultValuedAttr<I64Attr, "1">:$blocks,
                   UnitAttr:$smallest, UnitAttr:$nan_first, TypedAttrInterface:$bound,
                   DefaultValuedAttr<I64Attr, "0">:$missing_index);
  let results = (outs NN_Ordered:$values, RankedTensorOf<[I64]>:$indices);
  let assemblyFormat = "$input (`indices` $input_indices^)? (`index_offset` $index_offset^)? `dim` $dim (`blocks` $blocks^)? (`smallest` $smallest^)? (`nan_first` $nan_first^)? `bound` $bound (`missing_index` $missing_index^)? attr-dict `:` type($input) (`,` type($input_indices)^)? `->` type($values) `,` type($indices)";
}

/// What nn.sample takes and gives beside the logits.
class NN_PerRow<string value, string element>
    : TypesMatchWith<value # " must have one " # element # " per row of the logits", "logits", value,
                     "::mlir::tp::nn::getRowType($_self, \"" # element # "\")">;
class NN_One<string value, string element>
    : TypesMatchWith<value # " must be one " # element, "logits", value,
                     "::mlir::tp::nn::getOneType($_self, \"" # element # "\")">;

def NN_SampleOp : NN_Op<"sample", [], [NN_PerRow<"uniform", "f64">, NN_One<"temperature", "f64">, NN_One<"top_k", "i64">,
    NN_One<"top_p", "f64">, NN_PerRow<"token", "i64">]> {
  let summary = "a token of each row by its probability";
  let description = [{
    For each row of logits, token v has the weight exp((logits[v] - largest) / temperature), 1 where it is the largest,
    and a place in the order of the logits, the largest first, equal ones by their number. Those behind the first `top_k`
    places have no weight, unless `top_k` is 0 or less, and of these those before which there already is `top_p` of the
    weight of all, unless `top_p` is 1 or more. Then the result is the first token up to which, in the order of the tokens,
    the weights' sum exceeds `uniform` of the weight of all; the last one that has a weight where rounding leaves none. It is
    -1 where a logit is an infinity or NaN. All of it is computed in f64.

    ```mlir
    %t = nn.sample %logits, %uniform, %temperature, %k, %p : tensor<2x100xf32>
    ```

    Constraints: logits are [B, V] with at least one token, uniform and the result [B]; at run time `uniform` is at least
    0 and below 1, the temperature not negative, top_p above 0.
  }];
  let arguments = (ins RankedTensorOf<[F32], [HasAnyRankOfPred<[2]>]>:$logits, RankedTensorOf<[F64]>:$uniform,
                   RankedTensorOf<[F64]>:$temperature, RankedTensorOf<[I64]>:$top_k, RankedTensorOf<[F64]>:$top_p);
  let results = (outs RankedTensorOf<[I64]>:$token);
  let assemblyFormat = "$logits `,` $uniform `,` $temperature `,` $top_k `,` $top_p attr-dict `:` type($logits)";
}

#endif // NN_OPS_TD
