// A product on a stream, for both matrix libraries.
#pragma once

#include "driver.h"
#include "gemm.h"

enum Result : int {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};

namespace fake {

inline const char* statusName(int status) {
  switch (status) {
    case 0: return "CUBLAS_STATUS_SUCCESS";
    case 1: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case 3: return "CUBLAS_STATUS_ALLOC_FAILED";
    case 7: return "CUBLAS_STATUS_INVALID_VALUE";
    case 8: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case 13: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case 14: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case 15: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "CUBLAS_STATUS unknown";
  }
}

inline bool inMemory(const Matrix& matrix, int64_t rows, int64_t columns, int64_t batch) {
  const int64_t elements = extent(matrix, rows, columns, batch);
  return isDeviceMemory(matrix.data, static_cast<size_t>(elements) * sizeOf(matrix.type));
}

inline Result putProduct(void* stream, const Product& p) {
  if (!shapesFit(p)) return CUBLAS_STATUS_INVALID_VALUE;
  const bool inside = inMemory(p.a, p.m, p.k, p.batch) && inMemory(p.b, p.k, p.n, p.batch) &&
                      inMemory(p.d, p.m, p.n, p.batch) && (p.beta == 0 || inMemory(p.c, p.m, p.n, p.batch));
  if (!inside) {
    fprintf(stderr, "fake cublas: a matrix reaches out of its memory\n");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const int physical = currentPhysicalDevice();
  const int put = enqueue(stream, [p, physical] {
    multiply(p);
    flipOutput(physical, "gemm", const_cast<void*>(p.d.data));
    return true;
  });
  return put == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Scalars are floats, doubles or integers, as the kind of computation says.
inline double scalar(const void* value, Compute compute) {
  if (compute == Compute::f64) return *static_cast<const double*>(value);
  if (compute == Compute::i32) return *static_cast<const int32_t*>(value);
  if (compute == Compute::f16) return decode(*static_cast<const uint16_t*>(value), half);
  return *static_cast<const float*>(value);
}

}  // namespace fake
