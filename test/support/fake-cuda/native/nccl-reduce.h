// Adding up what the ranks of the fake NCCL gave.
#pragma once

#include <algorithm>
#include <vector>

#include "numbers.h"

namespace fake {

// ncclDataType_t
enum NcclType { NI8, NU8, NI32, NU32, NI64, NU64, NF16, NF32, NF64, NBF16 };

inline size_t elementBytes(int type) {
  static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return type >= 0 && type < 10 ? sizes[type] : 0;
}

// ncclRedOp_t: sum, product, maximum, minimum, mean.
template <class Number>
Number combine(Number a, Number b, int op) {
  switch (op) {
    case 1: return static_cast<Number>(a * b);
    case 2: return std::max(a, b);
    case 3: return std::min(a, b);
    default: return static_cast<Number>(a + b);
  }
}

using Parts = std::vector<std::vector<unsigned char>>;

template <class Stored, class Load, class Store>
void reduceAs(const Parts& parts, void* out, size_t count, int op, Load load, Store store) {
  for (size_t i = 0; i < count; i++) {
    auto total = load(reinterpret_cast<const Stored*>(parts[0].data())[i]);
    for (size_t rank = 1; rank < parts.size(); rank++)
      total = combine(total, load(reinterpret_cast<const Stored*>(parts[rank].data())[i]), op);
    if (op == 4) total = static_cast<decltype(total)>(total / static_cast<decltype(total)>(parts.size()));
    static_cast<Stored*>(out)[i] = static_cast<Stored>(store(total));
  }
}

template <class Stored>
void reducePlain(const Parts& parts, void* out, size_t count, int op) {
  const auto same = [](Stored value) { return value; };
  reduceAs<Stored>(parts, out, count, op, same, same);
}

inline void reduceSmall(const Parts& parts, void* out, size_t count, int op, const Format& format) {
  const auto load = [&](uint16_t bits) { return decode(bits, format); };
  const auto store = [&](double value) { return static_cast<uint16_t>(encode(value, format)); };
  reduceAs<uint16_t>(parts, out, count, op, load, store);
}

inline void reduceParts(const Parts& parts, void* out, size_t count, int type, int op) {
  switch (type) {
    case NI8: return reducePlain<int8_t>(parts, out, count, op);
    case NU8: return reducePlain<uint8_t>(parts, out, count, op);
    case NI32: return reducePlain<int32_t>(parts, out, count, op);
    case NU32: return reducePlain<uint32_t>(parts, out, count, op);
    case NI64: return reducePlain<int64_t>(parts, out, count, op);
    case NU64: return reducePlain<uint64_t>(parts, out, count, op);
    case NF32: return reducePlain<float>(parts, out, count, op);
    case NF64: return reducePlain<double>(parts, out, count, op);
    case NF16: return reduceSmall(parts, out, count, op, half);
    default: return reduceSmall(parts, out, count, op, bfloat);
  }
}

}  // namespace fake
