// The fake cuBLASLt: descriptions of a product, and the product.
#include "blas-work.h"

using namespace fake;

namespace {

// Attributes by their number, as bytes: what our library sets is read where it is used.
struct Attributes {
  std::map<int, std::vector<unsigned char>> values;

  void set(int attribute, const void* value, size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(value);
    values[attribute].assign(byte, byte + bytes);
  }

  template <class T>
  T get(int attribute, T fallback) const {
    const auto found = values.find(attribute);
    if (found == values.end() || found->second.size() != sizeof(T)) return fallback;
    T value;
    memcpy(&value, found->second.data(), sizeof value);
    return value;
  }
};

struct Layout : Attributes {};
struct Desc : Attributes {};
struct Preference : Attributes {};
struct Handle {};

enum LayoutAttribute { TYPE = 0, ORDER = 1, ROWS = 2, COLS = 3, LD = 4, BATCH = 5, STRIDE = 6 };
enum DescAttribute {
  COMPUTE = 0, SCALE = 1, POINTER_MODE = 2, TRANSA = 3, TRANSB = 4, EPILOGUE = 7, SM_COUNT = 15,
  A_SCALE = 17, B_SCALE = 18, D_SCALE = 20, FAST_ACCUM = 25,
};

// How many bytes each attribute has; an attribute that is not here is refused.
size_t layoutBytes(int attribute) {
  switch (attribute) {
    case TYPE: case ORDER: case BATCH: return 4;
    case ROWS: case COLS: case LD: case STRIDE: return 8;
    default: return 0;
  }
}

size_t descBytes(int attribute) {
  switch (attribute) {
    case COMPUTE: case SCALE: case POINTER_MODE: case TRANSA: case TRANSB: case EPILOGUE: case SM_COUNT: return 4;
    case A_SCALE: case B_SCALE: case D_SCALE: return 8;
    case FAST_ACCUM: return 1;
    default: return 0;
  }
}

Result setAttribute(Attributes* target, int attribute, const void* value, size_t bytes, size_t wanted) {
  if (target == nullptr || value == nullptr || wanted == 0 || bytes != wanted) return CUBLAS_STATUS_INVALID_VALUE;
  target->set(attribute, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

Matrix matrixOf(const Layout* layout, const void* data, bool transposed) {
  return {data, layout->get<int>(TYPE, -1), transposed, layout->get<int64_t>(LD, 0), layout->get<int64_t>(STRIDE, 0)};
}

double readScale(const Desc* desc, int attribute) {
  const float* scale = desc->get<const float*>(attribute, nullptr);
  return scale == nullptr ? 1 : *scale;
}

// The product that the descriptions mean, or why the real library would not do it.
Result describe(const Desc* desc, const Layout* a, const Layout* b, const Layout* c, const Layout* d, Product* p) {
  if (desc == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (const Layout* layout : {a, b, c, d})
    if (layout->get<int>(ORDER, 0) != 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (desc->get<int>(EPILOGUE, 1) != 1 || desc->get<int>(POINTER_MODE, 0) != 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  p->compute = computeOf(desc->get<int>(COMPUTE, -1));
  p->a = matrixOf(a, nullptr, desc->get<int>(TRANSA, 0) != 0);
  p->b = matrixOf(b, nullptr, desc->get<int>(TRANSB, 0) != 0);
  p->c = matrixOf(c, nullptr, false);
  p->d = matrixOf(d, nullptr, false);
  const auto rows = [](const Layout* layout) { return static_cast<int64_t>(layout->get<uint64_t>(ROWS, 0)); };
  const auto columns = [](const Layout* layout) { return static_cast<int64_t>(layout->get<uint64_t>(COLS, 0)); };
  p->m = rows(d);
  p->n = columns(d);
  p->k = p->a.transposed ? rows(a) : columns(a);
  p->batch = d->get<int>(BATCH, 1);
  const bool agree = (p->a.transposed ? columns(a) : rows(a)) == p->m &&
                     (p->b.transposed ? rows(b) : columns(b)) == p->n &&
                     (p->b.transposed ? columns(b) : rows(b)) == p->k && rows(c) == p->m && columns(c) == p->n;
  if (!agree || !shapesFit(*p)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!typesFit(p->a.type, p->b.type, p->d.type, p->compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const int capability = atoi(environment("FAKE_CUDA_CAPABILITY", "90").c_str());
  const bool eightBits = isFp8(p->a.type) || p->a.type == I8;
  if (isFp8(p->a.type) && capability < 89) return CUBLAS_STATUS_NOT_SUPPORTED;
  // Eight-bit products want A by rows, B by columns, and whole pieces of 16 bytes.
  if (eightBits && (!p->a.transposed || p->b.transposed)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const int multiple = isFp8(p->a.type) ? 16 : p->a.type == I8 ? 4 : 1;
  const bool whole = p->m % multiple == 0 && p->k % multiple == 0 && p->a.ld % multiple == 0 && p->b.ld % multiple == 0;
  return whole && (multiple != 16 || p->n % multiple == 0) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace

API const char* cublasLtGetStatusName(int status) { return statusName(status); }
API const char* cublasLtGetStatusString(int status) { return statusName(status); }
API size_t cublasLtGetVersion() { return 130100; }
API size_t cublasLtGetCudartVersion() { return 13000; }

API Result cublasLtCreate(Handle** handle) {
  ENTER("cublasLtCreate");
  if (currentPhysicalDevice() < 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new Handle;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtDestroy(Handle* handle) {
  ENTER("cublasLtDestroy");
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatmulDescCreate(Desc** out, int computeType, int scaleType) {
  ENTER("cublasLtMatmulDescCreate");
  if (computeOf(computeType) == Compute::unknown) return CUBLAS_STATUS_INVALID_VALUE;
  *out = new Desc;
  (*out)->set(COMPUTE, &computeType, sizeof computeType);
  (*out)->set(SCALE, &scaleType, sizeof scaleType);
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatmulDescDestroy(Desc* desc) {
  ENTER("cublasLtMatmulDescDestroy");
  delete desc;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatmulDescSetAttribute(Desc* desc, int attribute, const void* value, size_t bytes) {
  ENTER("cublasLtMatmulDescSetAttribute");
  return setAttribute(desc, attribute, value, bytes, descBytes(attribute));
}

API Result cublasLtMatrixLayoutCreate(Layout** out, int type, uint64_t rows, uint64_t columns, int64_t ld) {
  ENTER("cublasLtMatrixLayoutCreate");
  if (sizeOf(type) == 0) return CUBLAS_STATUS_INVALID_VALUE;
  *out = new Layout;
  (*out)->set(TYPE, &type, sizeof type);
  (*out)->set(ROWS, &rows, sizeof rows);
  (*out)->set(COLS, &columns, sizeof columns);
  (*out)->set(LD, &ld, sizeof ld);
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatrixLayoutDestroy(Layout* layout) {
  ENTER("cublasLtMatrixLayoutDestroy");
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatrixLayoutSetAttribute(Layout* layout, int attribute, const void* value, size_t bytes) {
  ENTER("cublasLtMatrixLayoutSetAttribute");
  return setAttribute(layout, attribute, value, bytes, layoutBytes(attribute));
}

API Result cublasLtMatmulPreferenceCreate(Preference** out) {
  ENTER("cublasLtMatmulPreferenceCreate");
  *out = new Preference;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatmulPreferenceDestroy(Preference* preference) {
  ENTER("cublasLtMatmulPreferenceDestroy");
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatmulPreferenceSetAttribute(Preference* preference, int attribute, const void* value, size_t bytes) {
  ENTER("cublasLtMatmulPreferenceSetAttribute");
  return setAttribute(preference, attribute, value, bytes, attribute == 1 ? 8 : 4);
}

struct Algorithm {
  uint64_t data[8];
};

struct Heuristic {
  Algorithm algorithm;
  size_t workspaceBytes;
  int state;
  float waves;
  int reserved[4];
};

API Result cublasLtMatmulAlgoGetHeuristic(Handle* handle, const Desc* desc, const Layout* a, const Layout* b,
                                          const Layout* c, const Layout* d, const Preference*, int wanted,
                                          Heuristic* results, int* count) {
  ENTER("cublasLtMatmulAlgoGetHeuristic");
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wanted < 1 || results == nullptr || count == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  Product product = {};
  *count = 0;
  const Result described = describe(desc, a, b, c, d, &product);
  if (described != CUBLAS_STATUS_SUCCESS) return described;
  *count = std::min(wanted, 3);
  for (int i = 0; i < *count; i++) {
    results[i] = {};
    results[i].algorithm.data[0] = 0xfa40 + static_cast<uint64_t>(i);
    results[i].waves = 1.0f / static_cast<float>(i + 1);
  }
  return CUBLAS_STATUS_SUCCESS;
}

// What an algorithm is made of: its number, tile, split of k, reduction, and so on.
API Result cublasLtMatmulAlgoConfigGetAttribute(const Algorithm* algorithm, int attribute, void* value,
                                                size_t bytes, size_t* written) {
  ENTER("cublasLtMatmulAlgoConfigGetAttribute");
  static const int values[] = {66, 20, 1, 0};
  if (algorithm == nullptr || attribute < 0 || bytes < 4) return CUBLAS_STATUS_INVALID_VALUE;
  const int answer = attribute < 4 ? values[attribute] : 0;
  memcpy(value, &answer, sizeof answer);
  if (written != nullptr) *written = sizeof answer;
  return CUBLAS_STATUS_SUCCESS;
}

API Result cublasLtMatmul(Handle* handle, const Desc* desc, const void* alpha, const void* a, const Layout* aLayout,
                          const void* b, const Layout* bLayout, const void* beta, const void* c,
                          const Layout* cLayout, void* d, const Layout* dLayout, const Algorithm* algorithm,
                          void* workspace, size_t workspaceBytes, void* stream) {
  ENTER("cublasLtMatmul");
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algorithm != nullptr && algorithm->data[0] >> 4 != 0xfa4) return CUBLAS_STATUS_INVALID_VALUE;
  if (workspaceBytes > 0 && !isDeviceMemory(workspace, workspaceBytes)) return CUBLAS_STATUS_INVALID_VALUE;
  Product product = {};
  const Result described = describe(desc, aLayout, bLayout, cLayout, dLayout, &product);
  if (described != CUBLAS_STATUS_SUCCESS) return described;
  product.a.data = a;
  product.b.data = b;
  product.c.data = c;
  product.d.data = d;
  // Scalars are of the description's own type: floats also for integer products that ask for it.
  const int scaleType = desc->get<int>(SCALE, F32);
  const Compute scalars = scaleType == F64 ? Compute::f64 : scaleType == I32 ? Compute::i32
                          : scaleType == F16 ? Compute::f16 : Compute::f32;
  product.alpha = scalar(alpha, scalars);
  product.beta = scalar(beta, scalars);
  product.scaleAB = readScale(desc, A_SCALE) * readScale(desc, B_SCALE);
  product.scaleD = isFp8(product.d.type) ? readScale(desc, D_SCALE) : 1;
  return putProduct(stream, product);
}
