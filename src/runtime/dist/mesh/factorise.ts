/**
 * The square-first rule: the largest d whose power d^(k-1) divides the count and leaves at least
 * 2, as the shape (d, …, d, rest). Undefined when only d = 1 would do.
 *
 * @param count how many devices
 * @param axes how many axes, at least 2
 */
export function squareFirst(count: number, axes: number): number[] | undefined {
  for (let side = Math.floor(Math.sqrt(count)); side >= 2; side--) {
    const square = side ** (axes - 1);
    if (count % square === 0 && count / square >= 2) {
      return [...Array.from({ length: axes - 1 }, () => side), count / square];
    }
  }
  return undefined;
}

/**
 * The non-increasing factorisation of the count whose largest and smallest factor are nearest;
 * among equals the one with the smaller largest factors. 72 into two gives 9 x 8.
 */
export function mostBalanced(count: number, factors: number): number[] {
  let best: number[] = [];
  let bestSpread = Number.POSITIVE_INFINITY;
  for (const candidate of factorisations(count, factors, count)) {
    const spread = (candidate[0] ?? 1) - (candidate.at(-1) ?? 1);
    // Candidates come with larger factors first, so a later equal one is the smaller.
    if (spread <= bestSpread) {
      best = candidate;
      bestSpread = spread;
    }
  }
  return best;
}

/** Every way to write the count as this many non-increasing factors, none above the limit. */
function* factorisations(count: number, factors: number, limit: number): Generator<number[]> {
  if (factors === 1) {
    if (count <= limit) yield [count];
    return;
  }
  for (const first of divisorsDescending(count)) {
    if (first > limit) continue;
    // Even if all the rest were as large as this factor, they could not make up the product.
    if (first ** factors < count) return;
    for (const rest of factorisations(count / first, factors - 1, first)) yield [first, ...rest];
  }
}

function divisorsDescending(count: number): number[] {
  const small: number[] = [];
  const large: number[] = [];
  for (let divisor = 1; divisor * divisor <= count; divisor++) {
    if (count % divisor !== 0) continue;
    small.unshift(divisor);
    if (divisor * divisor !== count) large.push(count / divisor);
  }
  return [...large, ...small];
}
