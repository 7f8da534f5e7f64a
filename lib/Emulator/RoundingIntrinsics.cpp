//===- RoundingIntrinsics.cpp - Arithmetic and conversions by mode ---------===//
//
// What rounds as its name says: to nearest (rn), to zero (rz), down (rm), up (rp).
//
//===----------------------------------------------------------------------===//

#include "Flush.h"
#include "Intrinsics.h"

#include "llvm/ADT/APFloat.h"
#include <cfenv>
#include <cstdint>
#include <cstring>

using namespace mlir::tp::emulator;

namespace {

template <typename T> T add(T x, T y) { return x + y; }
template <typename T> T mul(T x, T y) { return x * y; }
template <typename T> T divide(T x, T y) { return x / y; }
template <typename T> T invert(T x) { return 1 / x; }
template <typename T> T root(T x) { return std::sqrt(x); }
template <typename T> T multiplyAdd(T x, T y, T z) { return std::fma(x, y, z); }
template <typename To, typename From> To convert(From x) { return static_cast<To>(x); }

/// Computed here, whatever the compiler knows of it.
template <typename T> void pin(T &value) { asm volatile("" : "+m"(value)); }

/// A function under a mode of <cfenv>.
template <int Mode, auto Function> struct Rounded;
template <int Mode, typename Result, typename... Args, Result (*Function)(Args...)>
struct Rounded<Mode, Function> {
  static Result call(Args... args) {
    int old = std::fegetround();
    std::fesetround(Mode);
    (pin(args), ...);
    Result result = Function(args...);
    pin(result);
    std::fesetround(old);
    return result;
  }
  static Result callFlushed(Args... args) { return flush(call(flush(args)...)); }
};

/// The integer next to x as the mode says; NaN is 0, what does not fit the nearest that
/// does.
template <typename Integer, typename Float, int Mode> Integer toInteger(Float x) {
  if (x != x)
    return 0;
  Float rounded = Rounded<Mode, static_cast<Float (*)(Float)>(std::nearbyint)>::call(x);
  using Limits = std::numeric_limits<Integer>;
  // The largest integer may not be a float; the one above it is.
  if (rounded >= std::ldexp(Float(1), Limits::digits))
    return Limits::max();
  if (rounded < static_cast<Float>(Limits::min()))
    return Limits::min();
  return static_cast<Integer>(rounded);
}
template <typename Integer, int Mode> Integer toIntegerFlushed(float x) {
  return toInteger<Integer, float, Mode>(flush(x));
}

uint16_t toHalf(float x) {
  llvm::APFloat value(x);
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
}
uint16_t toHalfFlushed(float x) { return toHalf(flush(x)); }

uint64_t bitsOf(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}
uint32_t highWord(double x) { return bitsOf(x) >> 32; }
uint32_t lowWord(double x) { return static_cast<uint32_t>(bitsOf(x)); }
double joinWords(uint32_t low, uint32_t high) {
  uint64_t bits = static_cast<uint64_t>(high) << 32 | low;
  double x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

#define IN_ALL_MODES(FORM, ...)                                                                    \
  FORM("rn", FE_TONEAREST, __VA_ARGS__)                                                            \
  FORM("rz", FE_TOWARDZERO, __VA_ARGS__)                                                           \
  FORM("rm", FE_DOWNWARD, __VA_ARGS__)                                                             \
  FORM("rp", FE_UPWARD, __VA_ARGS__)
#define ARITHMETIC(mode, number, name, function)                                                   \
  {name "." mode ".f", address(Rounded<number, function<float>>::call)},                           \
      {name "." mode ".ftz.f", address(Rounded<number, function<float>>::callFlushed)},            \
      {name "." mode ".d", address(Rounded<number, function<double>>::call)},
#define TO_INTEGER(mode, number, name, integer)                                                    \
  {"f2" name "." mode, address(toInteger<integer, float, number>)},                                \
      {"f2" name "." mode ".ftz", address(toIntegerFlushed<integer, number>)},                     \
      {"d2" name "." mode, address(toInteger<integer, double, number>)},
#define FROM_INTEGER(mode, number, name, integer)                                                  \
  {name "2f." mode, address(Rounded<number, convert<float, integer>>::call)},                      \
      {name "2d." mode, address(Rounded<number, convert<double, integer>>::call)},
#define NARROW(mode, number, name)                                                                 \
  {name "." mode, address(Rounded<number, convert<float, double>>::call)},                         \
      {name "." mode ".ftz", address(Rounded<number, convert<float, double>>::callFlushed)},

const IntrinsicForm table[] = {
    IN_ALL_MODES(ARITHMETIC, "add", add)         //
    IN_ALL_MODES(ARITHMETIC, "mul", mul)         //
    IN_ALL_MODES(ARITHMETIC, "div", divide)      //
    IN_ALL_MODES(ARITHMETIC, "rcp", invert)      //
    IN_ALL_MODES(ARITHMETIC, "sqrt", root)       //
    IN_ALL_MODES(ARITHMETIC, "fma", multiplyAdd) //
    IN_ALL_MODES(TO_INTEGER, "i", int32_t)       //
    IN_ALL_MODES(TO_INTEGER, "ui", uint32_t)     //
    IN_ALL_MODES(TO_INTEGER, "ll", int64_t)      //
    IN_ALL_MODES(TO_INTEGER, "ull", uint64_t)    //
    IN_ALL_MODES(FROM_INTEGER, "i", int32_t)     //
    IN_ALL_MODES(FROM_INTEGER, "ui", uint32_t)   //
    IN_ALL_MODES(FROM_INTEGER, "ll", int64_t)    //
    IN_ALL_MODES(FROM_INTEGER, "ull", uint64_t)  //
    IN_ALL_MODES(NARROW, "d2f")                  //
    {"f2h.rn", address(toHalf)},
    {"f2h.rn.ftz", address(toHalfFlushed)},
    {"d2i.hi", address(highWord)},
    {"d2i.lo", address(lowWord)},
    {"lohi.i2d", address(joinWords)},
};

} // namespace

llvm::ArrayRef<IntrinsicForm> mlir::tp::emulator::getRoundingIntrinsics() { return table; }
