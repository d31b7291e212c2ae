// Probabilities of any size: a double and a binary exponent of its own.
//
// A path of a thousand frames has a probability that no double holds. Its
// logarithm does, but then every sum costs an exp and a log. Here a sum is one
// addition and a product one multiplication, each rounded as a double is, so a
// value is off by at most one part in 2^53 for each operation behind it.

#ifndef OASR_CSRC_DECODERS_SCALED_H_
#define OASR_CSRC_DECODERS_SCALED_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace oasr {

// fraction * 2^exponent, with the fraction in [1, 2), or zero.
struct Scaled {
  // The exponent of zero: below all others, and finite, so that it absorbs what
  // is added to it and two of them have a difference.
  static constexpr double kZeroExponent = std::numeric_limits<double>::lowest();

  double fraction = 0;
  double exponent = kZeroExponent;  // A whole number.

  bool IsZero() const { return fraction == 0; }
};

inline constexpr double kLn2 = 0.693147180559945309417232121458;

inline bool operator==(const Scaled& a, const Scaled& b) {
  return a.exponent == b.exponent && a.fraction == b.fraction;
}

inline bool operator<(const Scaled& a, const Scaled& b) {
  return a.exponent != b.exponent ? a.exponent < b.exponent
                                  : a.fraction < b.fraction;
}

// Returns the value of a fraction in [1, 4).
inline Scaled Carried(double fraction, double exponent) {
  const bool carry = fraction >= 2;
  return {carry ? fraction * 0.5 : fraction, carry ? exponent + 1 : exponent};
}

inline Scaled operator*(const Scaled& a, const Scaled& b) {
  return Carried(a.fraction * b.fraction, a.exponent + b.exponent);
}

// Returns 2^-n for n >= 0; zero where it is too small to matter beside one.
inline double InversePowerOfTwo(double n) {
  const int64_t bits = n < 128 ? (1023 - static_cast<int64_t>(n)) << 52 : 0;
  double power;
  std::memcpy(&power, &bits, sizeof(power));
  return power;
}

inline Scaled operator+(const Scaled& a, const Scaled& b) {
  const bool a_first = a.exponent >= b.exponent;
  const Scaled& high = a_first ? a : b;
  const Scaled& low = a_first ? b : a;
  const double shift = InversePowerOfTwo(high.exponent - low.exponent);
  return Carried(high.fraction + low.fraction * shift, high.exponent);
}

// Returns e^x; zero for -infinity. x must not be NaN or +infinity.
inline Scaled ScaledExp(double x) {
  // ln 2 in two parts, the first short enough that its product is exact.
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  if (x == -std::numeric_limits<double>::infinity()) return {};
  // Of a number this large the double keeps no fraction to speak of.
  if (std::abs(x) > 1e12) return {1, std::rint(x / kLn2)};
  // Beside this number a double has no room for a fraction, so it is rounded
  // off.
  constexpr double kRounder = 0x1.8p52;
  const double exponent = (x * (1 / kLn2) + kRounder) - kRounder;
  const double rest = (x - exponent * kLn2High) - exponent * kLn2Low;
  const double fraction = std::exp(rest);  // Within [0.7, 1.42].
  return fraction < 1 ? Scaled{fraction * 2, exponent - 1}
                      : Carried(fraction, exponent);
}

// Returns the natural logarithm; -infinity for zero.
inline double Log(const Scaled& value) {
  if (value.IsZero()) return -std::numeric_limits<double>::infinity();
  return std::log(value.fraction) + value.exponent * kLn2;
}

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_SCALED_H_
