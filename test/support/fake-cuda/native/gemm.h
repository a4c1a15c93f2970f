// Matrix products as cuBLAS and cuBLASLt define them: columns one after the other in memory.
#pragma once

#include <algorithm>
#include <vector>

#include "numbers.h"

namespace fake {

// cudaDataType_t
enum DataType : int { F32 = 0, F64 = 1, F16 = 2, I8 = 3, I32 = 10, BF16 = 14, E4M3 = 28, E5M2 = 29 };

// cublasComputeType_t, without the pedantic and fast variants' difference.
enum class Compute { f16, f32, tf32, f64, i32, unknown };

inline Compute computeOf(int type) {
  switch (type) {
    case 64: case 65: return Compute::f16;
    case 68: case 69: case 74: case 75: case 78: return Compute::f32;
    case 77: return Compute::tf32;
    case 70: case 71: case 79: return Compute::f64;
    case 72: case 73: return Compute::i32;
    default: return Compute::unknown;
  }
}

inline size_t sizeOf(int type) {
  switch (type) {
    case F64: return 8;
    case F32: case I32: return 4;
    case F16: case BF16: return 2;
    case I8: case E4M3: case E5M2: return 1;
    default: return 0;
  }
}

inline bool isFp8(int type) { return type == E4M3 || type == E5M2; }

struct Matrix {
  const void* data;
  int type;
  bool transposed;
  int64_t ld;
  // Elements from one matrix of a batch to the next.
  int64_t stride;
};

struct Product {
  int64_t m, n, k, batch;
  Matrix a, b, c, d;
  Compute compute;
  double alpha, beta;
  // What cuBLASLt multiplies A, B and D with; 1 without.
  double scaleAB = 1, scaleD = 1;
};

template <class Number>
Number load(const void* data, int type, int64_t index) {
  switch (type) {
    case F64: return static_cast<Number>(static_cast<const double*>(data)[index]);
    case F32: return static_cast<Number>(static_cast<const float*>(data)[index]);
    case I32: return static_cast<Number>(static_cast<const int32_t*>(data)[index]);
    case I8: return static_cast<Number>(static_cast<const int8_t*>(data)[index]);
    case F16: return static_cast<Number>(decode(static_cast<const uint16_t*>(data)[index], half));
    case BF16: {
      const uint32_t bits = static_cast<uint32_t>(static_cast<const uint16_t*>(data)[index]) << 16;
      float value;
      memcpy(&value, &bits, 4);
      return static_cast<Number>(value);
    }
    case E4M3: return static_cast<Number>(decode(static_cast<const uint8_t*>(data)[index], e4m3));
    default: return static_cast<Number>(decode(static_cast<const uint8_t*>(data)[index], e5m2));
  }
}

template <class Number>
void store(void* data, int type, int64_t index, Number value) {
  switch (type) {
    case F64: static_cast<double*>(data)[index] = static_cast<double>(value); break;
    case F32: static_cast<float*>(data)[index] = static_cast<float>(value); break;
    case I32: static_cast<int32_t*>(data)[index] = static_cast<int32_t>(value); break;
    case I8: {
      const double rounded = std::nearbyint(static_cast<double>(value));
      static_cast<int8_t*>(data)[index] = static_cast<int8_t>(std::clamp(rounded, -128.0, 127.0));
      break;
    }
    case F16: static_cast<uint16_t*>(data)[index] = encode(static_cast<double>(value), half); break;
    case BF16: static_cast<uint16_t*>(data)[index] = encode(static_cast<double>(value), bfloat); break;
    case E4M3: static_cast<uint8_t*>(data)[index] = encode(static_cast<double>(value), e4m3); break;
    default: static_cast<uint8_t*>(data)[index] = encode(static_cast<double>(value), e5m2);
  }
}

// op(matrix) with `rows` rows as plain columns of numbers.
template <class Number>
std::vector<Number> unpack(const Matrix& matrix, int64_t rows, int64_t columns, int64_t offset, bool tf32) {
  std::vector<Number> plain(static_cast<size_t>(rows * columns));
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++) {
      const int64_t index = offset + (matrix.transposed ? j + i * matrix.ld : i + j * matrix.ld);
      const Number value = load<Number>(matrix.data, matrix.type, index);
      plain[i + j * rows] = tf32 ? static_cast<Number>(roundTf32(static_cast<float>(value))) : value;
    }
  return plain;
}

template <class Number>
void multiply(const Product& p) {
  const bool tf32 = p.compute == Compute::tf32;
  std::vector<Number> column(static_cast<size_t>(p.m));
  for (int64_t batch = 0; batch < p.batch; batch++) {
    const auto a = unpack<Number>(p.a, p.m, p.k, batch * p.a.stride, tf32);
    const auto b = unpack<Number>(p.b, p.k, p.n, batch * p.b.stride, tf32);
    for (int64_t j = 0; j < p.n; j++) {
      std::fill(column.begin(), column.end(), Number(0));
      for (int64_t k = 0; k < p.k; k++) {
        const Number factor = b[k + j * p.k];
        const Number* left = a.data() + k * p.m;
        for (int64_t i = 0; i < p.m; i++) column[i] += left[i] * factor;
      }
      for (int64_t i = 0; i < p.m; i++) {
        Number value = static_cast<Number>(p.alpha * p.scaleAB * column[i]);
        if (p.beta != 0) {
          const int64_t from = batch * p.c.stride + i + j * p.c.ld;
          value += static_cast<Number>(p.beta * load<Number>(p.c.data, p.c.type, from));
        }
        value = static_cast<Number>(value * p.scaleD);
        store<Number>(const_cast<void*>(p.d.data), p.d.type, batch * p.d.stride + i + j * p.d.ld, value);
      }
    }
  }
}

inline void multiply(const Product& p) {
  if (p.compute == Compute::f64) multiply<double>(p);
  else if (p.compute == Compute::i32) multiply<int32_t>(p);
  else multiply<float>(p);
}

// Whether the real library has a kernel for these types.
inline bool typesFit(int a, int b, int d, Compute compute) {
  switch (compute) {
    case Compute::f64: return a == F64 && b == F64 && d == F64;
    case Compute::tf32: return a == F32 && b == F32 && d == F32;
    case Compute::i32: return a == I8 && b == I8 && d == I32;
    case Compute::f16: return a == F16 && b == F16 && d == F16;
    case Compute::f32:
      if (isFp8(a) && isFp8(b))
        return !(a == E5M2 && b == E5M2) && (d == F32 || d == F16 || d == BF16 || isFp8(d));
      if (a != b) return false;
      if (a == F32) return d == F32;
      if (a == F16) return d == F16 || d == F32;
      if (a == BF16) return d == BF16 || d == F32;
      return a == I8 && d == F32;
    default: return false;
  }
}

// Leading dimensions that hold their matrices, and the multiples that 8-bit formats need.
inline bool shapesFit(const Product& p) {
  if (p.m < 1 || p.n < 1 || p.k < 1 || p.batch < 1) return false;
  if (p.a.ld < (p.a.transposed ? p.k : p.m) || p.b.ld < (p.b.transposed ? p.n : p.k)) return false;
  return p.c.ld >= p.m && p.d.ld >= p.m;
}

// Elements from the first to the last of op(matrix), over the whole batch.
inline int64_t extent(const Matrix& matrix, int64_t rows, int64_t columns, int64_t batch) {
  const int64_t outer = matrix.transposed ? rows : columns, inner = matrix.transposed ? columns : rows;
  return (batch - 1) * matrix.stride + (outer - 1) * matrix.ld + inner;
}

}  // namespace fake
