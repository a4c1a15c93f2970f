// The fake cuBLAS: the calls that our library makes, with plain loops underneath.
#include "blas-work.h"

using namespace fake;

namespace {

struct Handle {
  void* stream = nullptr;
  void* workspace = nullptr;
  size_t workspaceBytes = 0;
  int mathMode = 0, smCountTarget = 0, pointerMode = 0, atomics = 0;
};

bool isOperation(int value) { return value >= 0 && value <= 2; }

}  // namespace

API const char* cublasGetStatusName(int status) { return statusName(status); }
API const char* cublasGetStatusString(int status) { return statusName(status); }

API Result cublasGetProperty(int type, int* value) {
  ENTER("cublasGetProperty");
  static const int parts[3] = {13, 1, 0};
  if (type < 0 || type > 2) return CUBLAS_STATUS_INVALID_VALUE;
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasCreate_v2(Handle** handle) {
  ENTER("cublasCreate_v2");
  if (currentPhysicalDevice() < 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new Handle;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasDestroy_v2(Handle* handle) {
  ENTER("cublasDestroy_v2");
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasGetVersion_v2(Handle*, int* version) {
  ENTER("cublasGetVersion_v2");
  *version = 130100;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasSetStream_v2(Handle* handle, void* stream) {
  ENTER("cublasSetStream_v2");
  handle->stream = stream;
  // As with the real one: a workspace of one's own must be given again.
  handle->workspace = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasSetWorkspace_v2(Handle* handle, void* workspace, size_t bytes) {
  ENTER("cublasSetWorkspace_v2");
  if (bytes > 0 && !isDeviceMemory(workspace, bytes)) return CUBLAS_STATUS_INVALID_VALUE;
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0) return CUBLAS_STATUS_INVALID_VALUE;
  handle->workspace = workspace;
  handle->workspaceBytes = bytes;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasSetMathMode(Handle* handle, int mode) {
  ENTER("cublasSetMathMode");
  handle->mathMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasSetSmCountTarget(Handle* handle, int count) {
  ENTER("cublasSetSmCountTarget");
  if (count < 0 || count > 132) return CUBLAS_STATUS_INVALID_VALUE;
  handle->smCountTarget = count;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasSetPointerMode_v2(Handle* handle, int mode) {
  ENTER("cublasSetPointerMode_v2");
  // Scalars in device memory are not part of this fake.
  if (mode != 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  handle->pointerMode = mode;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasSetAtomicsMode(Handle* handle, int mode) {
  ENTER("cublasSetAtomicsMode");
  handle->atomics = mode;
  return CUBLAS_STATUS_SUCCESS;
}

static Result gemm(Handle* handle, int transA, int transB, Product p, const void* alpha, const void* beta,
                   int computeType) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isOperation(transA) || !isOperation(transB)) return CUBLAS_STATUS_INVALID_VALUE;
  p.compute = computeOf(computeType);
  if (p.compute == Compute::unknown) return CUBLAS_STATUS_INVALID_VALUE;
  constexpr int tf32Mode = 3;
  if (computeType == 68 && (handle->mathMode & 0xf) == tf32Mode && p.a.type == F32) p.compute = Compute::tf32;
  // 8-bit floats are cuBLASLt's alone.
  if (isFp8(p.a.type) || !typesFit(p.a.type, p.b.type, p.d.type, p.compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (p.a.type == I8 && (p.a.ld % 4 != 0 || p.b.ld % 4 != 0 || p.k % 4 != 0 || p.m % 4 != 0))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  p.alpha = scalar(alpha, p.compute);
  p.beta = scalar(beta, p.compute);
  return putProduct(handle->stream, p);
}

API Result cublasGemmStridedBatchedEx(Handle* handle, int transA, int transB, int m, int n, int k,
                                      const void* alpha, const void* a, int aType, int lda,
                                      long long strideA, const void* b, int bType, int ldb,
                                      long long strideB, const void* beta, void* c, int cType, int ldc,
                                      long long strideC, int batch, int computeType, int) {
  ENTER("cublasGemmStridedBatchedEx");
  const Matrix out = {c, cType, false, ldc, strideC};
  Product p = {m, n, k, batch, {a, aType, transA != 0, lda, strideA}, {b, bType, transB != 0, ldb, strideB},
               out, out, Compute::unknown, 0, 0};
  return gemm(handle, transA, transB, p, alpha, beta, computeType);
}

API Result cublasGemmEx(Handle* handle, int transA, int transB, int m, int n, int k, const void* alpha,
                        const void* a, int aType, int lda, const void* b, int bType, int ldb,
                        const void* beta, void* c, int cType, int ldc, int computeType, int) {
  ENTER("cublasGemmEx");
  const Matrix out = {c, cType, false, ldc, 0};
  Product p = {m, n, k, 1, {a, aType, transA != 0, lda, 0}, {b, bType, transB != 0, ldb, 0},
               out, out, Compute::unknown, 0, 0};
  return gemm(handle, transA, transB, p, alpha, beta, computeType);
}
