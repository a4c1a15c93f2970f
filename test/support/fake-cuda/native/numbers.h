// Number formats of GPUs: to and from double, rounding to the nearest, ties to even.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace fake {

// A small format: sign, exponent, mantissa; with or without infinity.
struct Format {
  int exponentBits, mantissaBits, bias;
  bool infinity;
};

constexpr Format half = {5, 10, 15, true};
constexpr Format bfloat = {8, 7, 127, true};
constexpr Format e4m3 = {4, 3, 7, false};
constexpr Format e5m2 = {5, 2, 15, true};

inline double decode(unsigned bits, const Format& f) {
  const unsigned exponentMax = (1u << f.exponentBits) - 1, mantissaMax = (1u << f.mantissaBits) - 1;
  const unsigned exponent = bits >> f.mantissaBits & exponentMax, mantissa = bits & mantissaMax;
  const double sign = bits >> (f.exponentBits + f.mantissaBits) & 1u ? -1 : 1;
  if (exponent == exponentMax && f.infinity)
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  if (!f.infinity && exponent == exponentMax && mantissa == mantissaMax) return std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissaBits);
  return sign * std::ldexp(mantissa + mantissaMax + 1, static_cast<int>(exponent) - f.bias - f.mantissaBits);
}

// What is too large becomes infinity, or the largest number where there is none.
inline unsigned encode(double value, const Format& f) {
  const unsigned exponentMax = (1u << f.exponentBits) - 1, mantissaMax = (1u << f.mantissaBits) - 1;
  const unsigned sign = std::signbit(value) ? 1u << (f.exponentBits + f.mantissaBits) : 0;
  const unsigned largest = f.infinity ? (exponentMax - 1) << f.mantissaBits | mantissaMax
                                      : exponentMax << f.mantissaBits | (mantissaMax - 1);
  if (std::isnan(value)) return sign | exponentMax << f.mantissaBits | mantissaMax;
  const double size = std::fabs(value);
  if (size == 0) return sign;
  int exponent;
  std::frexp(size, &exponent);
  exponent = std::max(exponent - 1, 1 - f.bias);
  // Doubles hold every step of these formats exactly, so this is the only rounding.
  const double steps = std::isinf(size) ? size : std::nearbyint(std::ldexp(size, f.mantissaBits - exponent));
  const double rounded = std::isinf(steps) ? steps : std::ldexp(steps, exponent - f.mantissaBits);
  if (rounded > decode(largest, f)) return sign | (f.infinity ? exponentMax << f.mantissaBits : largest);
  std::frexp(rounded, &exponent);
  exponent = std::max(exponent - 1, 1 - f.bias);
  const auto mantissa = static_cast<unsigned>(std::ldexp(rounded, f.mantissaBits - exponent));
  if (mantissa <= mantissaMax) return sign | mantissa;
  return sign | static_cast<unsigned>(exponent + f.bias) << f.mantissaBits | (mantissa & mantissaMax);
}

// TF32: a float with 10 bits of mantissa.
inline float roundTf32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if ((bits >> 23 & 0xff) == 0xff) return value;
  bits += 0xfff + (bits >> 13 & 1);
  bits &= ~0x1fffu;
  memcpy(&value, &bits, 4);
  return value;
}

}  // namespace fake
