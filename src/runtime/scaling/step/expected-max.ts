/** How far the slowest of so many lies from the mean, in standard deviations (Blom's approximation). */
export function expectedMax(count: number): number {
  if (count <= 1) return 0;
  return normalQuantile((count - Math.PI / 8) / (count - Math.PI / 4 + 1));
}

/** The normal quantile by Hastings' rational form, to 0.0005; for shares from 0.5. */
function normalQuantile(share: number): number {
  const t = Math.sqrt(-2 * Math.log(1 - share));
  const top = 2.515517 + t * (0.802853 + t * 0.010328);
  const bottom = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return Math.max(0, t - top / bottom);
}
