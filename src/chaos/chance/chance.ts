/** Chance that can be repeated, a stream for each purpose and each of the things it is about. */
export interface Chance {
  /**
   * The stream of an entity, such as `("jitter", 17)`. What it gives depends on the seed, the purpose and
   * the entity alone, so no draw shifts another stream's. Asked for again, it goes on where it was. A number
   * is a whole one from 0 to 2^32 - 1; `1` and `"1"` are different entities. @default entity 0
   */
  stream(purpose: string, entity?: number | string): ChanceStream;
  /**
   * The streams of the entities from 0 to `entities - 1` at once, for purposes whose entities are thousands and
   * draw in turn. They give what `stream` would give; a purpose is asked for in one of the two ways.
   */
  rows(purpose: string, entities: number): ChanceRows;
}

/** The streams of many numbered entities. What is drawn is the same as from `stream(purpose, entity)`. */
export interface ChanceRows {
  uint32(entity: number): number;
  float(entity: number): number;
}

/** A sequence of random values. The same bits on every machine and version of Node. */
export interface ChanceStream {
  /** A whole number in [0, 2^32). */
  uint32(): number;
  /** A number in [0, 1) with 53 random bits. */
  float(): number;
  /** A whole number in [0, maxExclusive), every one equally likely; at most 2^32. */
  int(maxExclusive: number): number;
  /** A waiting time without memory. Not rounded. */
  exponential(mean: number): number;
  /** A life time: shape below 1 fails early, 1 is exponential, above 1 wears out. Not rounded. */
  weibull(scale: number, shape: number): number;
  /** e to a normal variable: half of them are below the median. */
  logNormal(median: number, sigma: number): number;
  /** With mean 0 and deviation 1; at most 6.4 from 0. */
  normal(): number;
  /** True with chance p. */
  bernoulli(p: number): boolean;
}
