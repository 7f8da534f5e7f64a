//===- Parameters.cpp - filling the parameters of a rank ------------------===//

#include "Parameters.h"

#include "Copy.h"
#include "DType.h"
#include "Random.h"
#include "tprt/error.h"
#include "tprt/parameters.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace tprt;

namespace {

// A span of the file up to the first size is read as it is and picked apart;
// up to the second where at least a quarter of it is wanted.
constexpr int64_t kSmallSpanBytes = 64 << 10;
constexpr int64_t kLargeSpanBytes = 4 << 20;

std::vector<int64_t> blockSizes(const std::vector<Range> &block) {
  std::vector<int64_t> sizes;
  for (const Range &range : block)
    sizes.push_back(range.size);
  return sizes;
}

/// Strides of `shape` when it views the elements of (fromShape, fromStrides)
/// in row-major order; false where it has none. Dimensions of the source that
/// are adjacent in memory form chunks, and the target's must cut each chunk
/// evenly.
bool reshapeStrides(const std::vector<int64_t> &fromShape, const std::vector<int64_t> &fromStrides,
                    const std::vector<int64_t> &shape, std::vector<int64_t> &strides) {
  strides.assign(shape.size(), 1);
  size_t next = shape.size(); // dimensions of `shape` from here on are done
  size_t i = fromShape.size();
  while (i > 0) {
    const int64_t unit = fromStrides[i - 1];
    int64_t chunk = fromShape[--i];
    while (i > 0 && (fromShape[i - 1] == 1 || fromStrides[i - 1] == chunk * unit))
      chunk *= fromShape[--i];
    int64_t covered = 1;
    while (next > 0 && (covered < chunk || shape[next - 1] == 1)) {
      strides[--next] = covered * unit;
      covered *= shape[next];
    }
    if (covered != chunk)
      return false;
  }
  while (next > 0 && shape[next - 1] == 1)
    --next;
  return next == 0;
}

/// Reads strided parts of one tensor.
class StridedReader {
public:
  StridedReader(const Checkpoint::Tensor &tensor)
      : tensor(tensor), elementSize(tprt_dtype_size(tensor.entry->dtype)) {}

  void read(int64_t offset, const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides,
            const StridedView<void *> &to) {
    int64_t count = 1, span = 1;
    size_t widest = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      count *= sizes[i];
      span += (sizes[i] - 1) * strides[i];
      if (sizes[i] > 1 && (sizes[widest] == 1 || strides[i] > strides[widest]))
        widest = i;
    }
    if (count == 0)
      return;
    const bool dense = isDense(sizes, strides);
    if (dense && to.dtype == tensor.entry->dtype && isDense(sizes, to.strides)) {
      tensor.file->read(*tensor.entry, offset * elementSize, to.data, span * elementSize);
      return;
    }
    const int64_t bytes = span * elementSize;
    if (bytes <= kSmallSpanBytes || (bytes <= kLargeSpanBytes && span <= 4 * count)) {
      scratch.resize(size_t(bytes));
      tensor.file->read(*tensor.entry, offset * elementSize, scratch.data(), bytes);
      copyStrided({scratch.data(), tensor.entry->dtype, strides}, to, sizes);
      return;
    }
    // Halve the dimension whose neighbours lie farthest apart.
    std::vector<int64_t> half = sizes;
    half[widest] = sizes[widest] / 2;
    read(offset, half, strides, to);
    StridedView<void *> rest = to;
    rest.data = static_cast<char *>(to.data) +
                half[widest] * to.strides[widest] * tprt_dtype_size(to.dtype);
    offset += half[widest] * strides[widest];
    half[widest] = sizes[widest] - half[widest];
    read(offset, half, strides, rest);
  }

private:
  static bool isDense(const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides) {
    int64_t expected = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      if (sizes[i] != 1 && strides[i] != expected)
        return false;
      expected *= sizes[i];
    }
    return true;
  }

  const Checkpoint::Tensor tensor;
  const int64_t elementSize;
  std::vector<char> scratch;
};

void checkTensor(const Checkpoint::Tensor &tensor, const ParameterSource &source,
                 const ValueInfo &value) {
  const TensorEntry &entry = *tensor.entry;
  const std::string where = tensor.file->path() + ": tensor '" + entry.name + "'";
  if (entry.shape != source.shape)
    throw badInput(where + " has the wrong shape: expected " + shapeText(source.shape) +
                   ", found " + shapeText(entry.shape));
  const int32_t expected = source.dtype >= 0 ? source.dtype : value.dtype;
  bool fits = entry.dtype == expected;
  if (!fits && source.dtype < 0 && entry.dtype >= 0) {
    const bool isShort = entry.dtype == TPRT_F16 || entry.dtype == TPRT_BF16;
    fits = (isShort && (expected == TPRT_F32 || expected == TPRT_F64)) ||
           (entry.dtype == TPRT_F32 && expected == TPRT_F64) ||
           (entry.dtype == TPRT_I64 && expected == TPRT_INDEX);
  }
  if (!fits)
    throw badInput(where + " has the wrong type: expected " + tprt_dtype_name(expected) +
                   ", found " +
                   (entry.dtype >= 0 ? tprt_dtype_name(entry.dtype) : entry.dtypeName));
  if (entry.dtype != value.dtype && !(isFloat(entry.dtype) && isFloat(value.dtype)) &&
      !(entry.dtype == TPRT_I64 && value.dtype == TPRT_INDEX))
    throw badInput(where + " of type " + tprt_dtype_name(entry.dtype) + " cannot be converted to " +
                   tprt_dtype_name(value.dtype));
}

} // namespace

ParameterView tprt::findParameter(const Checkpoint &checkpoint, const ValueInfo &value) {
  ParameterSource source;
  if (value.source) {
    source = *value.source;
  } else {
    source.tensor = value.name;
    source.shape = source.view = source.size = value.globalShape;
    source.offset.assign(source.shape.size(), 0);
    for (size_t i = 0; i < source.shape.size(); ++i)
      source.permutation.push_back(int64_t(i));
  }
  ParameterView view;
  view.tensor = checkpoint.find(source.tensor, value.name);
  checkTensor(view.tensor, source, value);

  const std::vector<int64_t> strides = denseStrides(source.view);
  std::vector<int64_t> permutedShape, permutedStrides;
  for (size_t i = 0; i < source.view.size(); ++i) {
    view.offset += source.offset[i] * strides[i];
    permutedShape.push_back(source.size[source.permutation[i]]);
    permutedStrides.push_back(strides[source.permutation[i]]);
  }
  view.shape = value.globalShape;
  view.direct = reshapeStrides(permutedShape, permutedStrides, view.shape, view.strides);
  if (!view.direct) {
    view.shape = permutedShape;
    view.strides = permutedStrides;
  }
  return view;
}

static void cutPiece(ValueInfo piece, int64_t offset, int64_t bytes,
                     const std::function<void(const ValueInfo &piece, int64_t offset)> &body) {
  const int64_t whole = piece.localBytes();
  size_t dimension = 0; // all before are one row
  while (dimension < piece.localShape.size() && piece.localShape[dimension] == 1)
    ++dimension;
  if (whole <= bytes || dimension == piece.localShape.size())
    return body(piece, offset);
  const int64_t rows = piece.localShape[dimension], rowBytes = whole / rows;
  const Range block = piece.blocks[0][dimension];
  const int64_t step = std::max<int64_t>(1, bytes / rowBytes);
  for (int64_t row = 0; row < rows; row += step) {
    const int64_t size = std::min(step, rows - row);
    piece.localShape[dimension] = size;
    piece.blocks[0][dimension] = {block.offset + row,
                                  std::max<int64_t>(0, std::min(size, block.size - row))};
    cutPiece(piece, offset + row * rowBytes, bytes, body);
  }
}

void tprt::forEachPiece(const ValueInfo &value, int rank, int64_t bytes,
                        const std::function<void(const ValueInfo &piece, int64_t offset)> &body) {
  ValueInfo piece = value;
  piece.blocks = {value.blocks[size_t(rank)]};
  cutPiece(piece, 0, bytes, body);
}

void tprt::loadParameter(const ParameterView &view, const ValueInfo &value, int rank, void *local) {
  const std::vector<Range> &block = value.blocks[rank];
  const std::vector<int64_t> sizes = blockSizes(block);
  if (elementCount(sizes) == 0)
    return;
  // An index is stored as the i64 that it is in the file.
  const int32_t dtype = value.dtype == TPRT_INDEX ? int32_t(TPRT_I64) : value.dtype;
  const StridedView<void *> target{local, dtype, denseStrides(value.localShape)};
  StridedReader reader(view.tensor);
  std::vector<int64_t> strides = view.strides;
  int64_t offset = view.offset;
  if (view.direct) {
    for (size_t i = 0; i < block.size(); ++i)
      offset += block[i].offset * strides[i];
    reader.read(offset, sizes, strides, target);
    return;
  }
  // The reshape moves elements between dimensions: bring the slice into its
  // order first.
  std::vector<char> whole(size_t(elementCount(view.shape) * tprt_dtype_size(dtype)));
  reader.read(offset, view.shape, strides, {whole.data(), dtype, denseStrides(view.shape)});
  strides = denseStrides(value.globalShape);
  offset = 0;
  for (size_t i = 0; i < block.size(); ++i)
    offset += block[i].offset * strides[i];
  copyStrided({whole.data() + offset * tprt_dtype_size(dtype), dtype, strides}, target, sizes);
}

RandomSpec tprt::parameterSpec(const ValueInfo &value, uint64_t seed, bool likeModel) {
  RandomSpec spec;
  spec.seed = seed;
  const std::vector<int64_t> &shape =
      likeModel && value.source ? value.source->shape : value.globalShape;
  const double columns = shape.empty() ? 1.0 : double(std::max<int64_t>(1, shape.back()));
  if (!likeModel) {
    spec.scale = 1.0 / std::sqrt(columns);
    return spec;
  }
  if (shape.size() > 1) {
    spec.scale = std::sqrt(3.0 / columns); // uniform in [-s, s) has variance s^2 / 3
    return spec;
  }
  const std::string suffix = "bias";
  const std::string &name = value.source ? value.source->tensor : value.name;
  const bool isBias = name.size() >= suffix.size() &&
                      !name.compare(name.size() - suffix.size(), suffix.size(), suffix);
  spec.centre = isBias ? 0.0 : 1.0;
  spec.scale = 0.5;
  return spec;
}

void tprt::randomParameter(const ValueInfo &value, const RandomSpec &spec, int rank, void *local,
                           Workers *workers) {
  // Row by row: a row is contiguous in the global value and in the buffer.
  struct Fill {
    const std::vector<Range> &block;
    std::vector<int64_t> rows; ///< sizes of all dimensions but the last
    std::vector<int64_t> globalStrides, localStrides;
    int64_t rowSize;
    RandomStream stream;
    RandomSpec spec;
    int32_t dtype;
    char *local;

    void row(int64_t number) const {
      int64_t global = block.empty() ? 0 : block.back().offset, at = 0;
      for (size_t i = rows.size(); i-- > 0; number /= rows[i]) {
        const int64_t index = number % rows[i];
        global += (index + block[i].offset) * globalStrides[i];
        at += index * localStrides[i];
      }
      fillRandom(stream, dtype, spec, global, rowSize, local + at * tprt_dtype_size(dtype));
    }
    static void rowsOf(void *fill, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        static_cast<const Fill *>(fill)->row(i);
    }
  };
  const std::vector<Range> &block = value.blocks[rank];
  std::vector<int64_t> sizes = blockSizes(block);
  if (elementCount(sizes) == 0)
    return;
  const int64_t rowSize = sizes.empty() ? 1 : sizes.back();
  if (!sizes.empty())
    sizes.pop_back();
  Fill fill{block,
            sizes,
            denseStrides(value.globalShape),
            denseStrides(value.localShape),
            rowSize,
            RandomStream(value.name, spec.seed),
            spec,
            value.dtype,
            static_cast<char *>(local)};
  constexpr int64_t kChunkElements = 1 << 15;
  const int64_t rows = elementCount(sizes);
  if (workers)
    workers->run(Fill::rowsOf, &fill, rows, std::max<int64_t>(1, kChunkElements / rowSize));
  else
    Fill::rowsOf(&fill, 0, rows);
}

std::vector<Array> tprt::loadGlobalParameters(const std::vector<ValueInfo> &parameters,
                                              const std::optional<std::string> &weights,
                                              uint64_t randomSeed) {
  std::unique_ptr<Checkpoint> checkpoint;
  if (weights)
    checkpoint = std::make_unique<Checkpoint>(*weights);
  std::vector<Array> values;
  for (const ValueInfo &parameter : parameters) {
    ValueInfo whole = parameter;
    whole.localShape = whole.globalShape;
    whole.blocks.assign(1, {});
    for (int64_t size : whole.globalShape)
      whole.blocks[0].push_back({0, size});
    values.emplace_back(whole.dtype, whole.globalShape);
    if (checkpoint)
      loadParameter(findParameter(*checkpoint, whole), whole, 0, values.back().data.data());
    else
      randomParameter(whole, parameterSpec(whole, randomSeed), 0, values.back().data.data());
  }
  return values;
}
