//===- Window.cpp ----------------------------------------------------------===//

#include "dialects/TP/Window.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::tp;
using llvm::ArrayRef;
using llvm::SmallVector;

WindowMap::WindowMap(int64_t sourceSize, ArrayRef<WindowSegment> segments, int64_t stride,
                     int64_t repeat)
    : sourceSize(sourceSize), stride(stride), repeat(repeat), segments(segments) {
  simplify();
}

WindowMap::WindowMap(int64_t sourceSize, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                     int64_t stride, int64_t repeat)
    : sourceSize(sourceSize), stride(stride), repeat(repeat) {
  for (auto [start, size] : llvm::zip_equal(starts, sizes))
    segments.push_back({start, size});
  simplify();
}

void WindowMap::simplify() {
  SmallVector<WindowSegment, 2> joined;
  for (WindowSegment segment : segments) {
    if (segment.size == 0)
      continue;
    auto [begin, end] = inside(segment);
    bool isOutside = begin == end;
    if (!joined.empty()) {
      WindowSegment &last = joined.back();
      auto [lastBegin, lastEnd] = inside(last);
      bool lastIsOutside = lastBegin == lastEnd;
      if ((isOutside && lastIsOutside) || segment.start == last.start + stride * last.size) {
        last.size += segment.size;
        continue;
      }
    }
    joined.push_back(isOutside ? outside(segment.size) : segment);
  }
  segments = std::move(joined);
}

int64_t WindowMap::resultSize() const {
  int64_t size = 0;
  for (const WindowSegment &segment : segments)
    size += segment.size;
  return size;
}

bool WindowMap::isIdentity() const {
  if (sourceSize == 0)
    return segments.empty();
  return segments.size() == 1 && segments[0] == WindowSegment{0, sourceSize} &&
         ((stride == 1 && repeat == 1) || sourceSize == 1);
}

bool WindowMap::reachesOutside() const {
  return llvm::any_of(segments, [&](const WindowSegment &segment) {
    return inside(segment) != std::make_pair(int64_t(0), segment.size);
  });
}

std::pair<int64_t, int64_t> WindowMap::inside(const WindowSegment &segment) const {
  int64_t begin = std::max<int64_t>(llvm::divideCeilSigned(-segment.start, stride), 0);
  int64_t end =
      std::min(llvm::divideCeilSigned(sourceSize * repeat - segment.start, stride), segment.size);
  if (begin >= end)
    return {0, 0};
  return {begin, end};
}

SmallVector<int64_t> WindowMap::starts() const {
  return llvm::map_to_vector(segments, [](const WindowSegment &s) { return s.start; });
}

SmallVector<int64_t> WindowMap::sizes() const {
  return llvm::map_to_vector(segments, [](const WindowSegment &s) { return s.size; });
}

WindowMap tp::compose(const WindowMap &outer, const WindowMap &inner) {
  assert(outer.repeat == 1 && inner.repeat == 1 && "repeated rows are not composed");
  SmallVector<WindowSegment> segments;
  int64_t stride = outer.stride * inner.stride;
  for (const WindowSegment &segment : outer.segments) {
    auto [begin, end] = outer.inside(segment);
    segments.push_back(inner.outside(begin));
    // Where a segment of `inner` ends a new one begins.
    int64_t first = 0, j = begin;
    for (const WindowSegment &source : inner.segments) {
      int64_t past = first + source.size;
      int64_t last = std::min(llvm::divideCeilSigned(past - segment.start, outer.stride), end);
      if (j < last) {
        int64_t row = segment.start + outer.stride * j;
        segments.push_back({source.start + inner.stride * (row - first), last - j});
        j = last;
      }
      first = past;
    }
    segments.push_back(inner.outside(segment.size - end));
  }
  return WindowMap(inner.sourceSize, segments, stride);
}
