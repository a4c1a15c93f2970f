import { canonicalNanBits } from "../wasm/emit-canonical-nan.ts";
import type { MatmulProblem } from "./problem.ts";

/**
 * The product in plain TypeScript: each result is one chain over k in ascending order from +0,
 * product and sum each rounded to f32.
 */
export function matmulInTypeScript(o: MatmulProblem): void {
  const { a, aStart, b, bStart, out, outStart, m, k, n } = o;
  const sums = new Float32Array(n);
  const bits = new Int32Array(sums.buffer);
  for (let row = 0; row < m; row++) {
    sums.fill(0);
    for (let depth = 0; depth < k; depth++) {
      const factor = a[aStart + row * k + depth] as number;
      const rowOfB = bStart + depth * n;
      for (let column = 0; column < n; column++) {
        const product = Math.fround(factor * (b[rowOfB + column] as number));
        // Storing rounds to f32.
        sums[column] = (sums[column] as number) + product;
      }
    }
    for (let column = 0; column < n; column++) {
      if (Number.isNaN(sums[column])) bits[column] = canonicalNanBits;
    }
    out.set(sums, outStart + row * n);
  }
}
