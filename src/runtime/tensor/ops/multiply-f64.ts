/** One product of row-major matrices, and where in larger arrays they start, in elements. */
export interface ProductPlace {
  readonly aStart: number;
  readonly bStart: number;
  readonly outStart: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** out = a b over k ascending from the +0 that `out` holds, product and sum each rounded to f64. */
export function multiplyF64(
  product: ProductPlace & {
    readonly a: Float64Array;
    readonly b: Float64Array;
    readonly out: Float64Array;
  },
): void {
  const { a, aStart, b, bStart, out, outStart, m, k, n } = product;
  for (let row = 0; row < m; row++) {
    for (let inner = 0; inner < k; inner++) {
      const factor = a[aStart + row * k + inner] as number;
      for (let column = 0; column < n; column++) {
        const at = outStart + row * n + column;
        out[at] = (out[at] as number) + factor * (b[bStart + inner * n + column] as number);
      }
    }
  }
}
