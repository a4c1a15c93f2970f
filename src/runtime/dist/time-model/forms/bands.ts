const bytesPerMB = 1e6;
const bytesPerKiB = 1024;

/**
 * Bands of message size, each with a rate of its own: a protocol fills its pipeline step by step, so
 * the first bytes of a message cost less, or more, than later ones.
 */
export interface Bands {
  readonly names: readonly string[];
  /** How many MB of a message of this size lie in each band. */
  split(bytes: number): number[];
}

/** Bands that begin at 0 and at each of the edges. */
export function bandsAt(edgesKiB: readonly number[]): Bands {
  const starts = [0, ...edgesKiB].map((edge) => edge * bytesPerKiB);
  return {
    names: [0, ...edgesKiB].map((edge) => `usPerMBFrom${edge}KiB`),
    split: (bytes) =>
      starts.map((start, index) => {
        const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
        return Math.max(0, Math.min(bytes, end) - start) / bytesPerMB;
      }),
  };
}
