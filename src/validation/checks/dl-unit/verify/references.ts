/** What layers give in f64, one row at a time: the reference that devices are held against. */

const epsilon = 1e-5;

/** LayerNorm or RMSNorm of a row with gains, without bias. */
export function normRow(
  kind: "layer" | "rms",
  row: Float64Array,
  gain: Float64Array,
): Float64Array {
  const mean = kind === "rms" ? 0 : row.reduce((sum, x) => sum + x, 0) / row.length;
  const square = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
  const factor = 1 / Math.sqrt(square + epsilon);
  return row.map((x, i) => (x - mean) * factor * (gain[i] as number));
}

/** exp(x) over its sum. */
export function softmaxOfRow(row: Float64Array): Float64Array {
  const max = row.reduce((high, x) => Math.max(high, x), Number.NEGATIVE_INFINITY);
  const powers = row.map((x) => Math.exp(x - max));
  const total = powers.reduce((sum, x) => sum + x, 0);
  return powers.map((x) => x / total);
}

/** The attention of position `at` of one head to itself and what is before it. */
export function attentionRow(
  at: number,
  {
    q,
    k,
    v,
    width,
  }: {
    readonly q: Float64Array;
    readonly k: Float64Array;
    readonly v: Float64Array;
    readonly width: number;
  },
): Float64Array {
  const scores = new Float64Array(at + 1);
  for (let other = 0; other <= at; other++) {
    let sum = 0;
    for (let i = 0; i < width; i++) {
      sum += (q[at * width + i] as number) * (k[other * width + i] as number);
    }
    scores[other] = sum / Math.sqrt(width);
  }
  const weights = softmaxOfRow(scores);
  const out = new Float64Array(width);
  for (let other = 0; other <= at; other++) {
    for (let i = 0; i < width; i++) {
      out[i] = (out[i] as number) + (weights[other] as number) * (v[other * width + i] as number);
    }
  }
  return out;
}
