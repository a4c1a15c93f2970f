import { kernelFamily } from "./family.ts";

/**
 * Compares a matrix with a tile that it must repeat, bit by bit. T is a format of the same width.
 * `found` holds the number of wrong elements and the place of the first.
 */
export const tileKernels = kernelFamily({
  name: "tile",
  parameters: ["T"],
  kernels: ["compare_tile"],
  code: `
// Bytes of an element as an unsigned number.
template <int WIDTH> struct Bits;
template <> struct Bits<1> { typedef u8 Type; };
template <> struct Bits<2> { typedef u16 Type; };
template <> struct Bits<4> { typedef u32 Type; };
template <> struct Bits<8> { typedef u64 Type; };
typedef Bits<sizeof(T)>::Type Word;

extern "C" __global__ void compare_tile(const T* matrix, const T* tile, i64 count, i64 columns, i64 tile_rows, i64 tile_columns, u64* found) {
  const Word* values = (const Word*)matrix;
  const Word* expected = (const Word*)tile;
  const u32 width = (u32)columns;
  for (i64 row = blockIdx.x; row * columns < count; row += gridDim.x) {
    const Word* of_tile = expected + row % tile_rows * tile_columns;
    for (u32 column = threadIdx.x; column < width; column += blockDim.x) {
      if (values[row * columns + column] != of_tile[column % (u32)tile_columns]) {
        atomicAdd(found, 1ull);
        atomicMin(found + 1, (u64)(row * columns + column));
      }
    }
  }
}
`,
});
