import assert from "node:assert/strict";
import { busFactor } from "../../dist/time-model/limits.ts";
import type { PreparedCollective } from "../ranks.ts";
import type { MeasuredSize, MeasureOptions, RankTimes } from "./measurement.ts";

const iterationsMax = 100_000;

/**
 * Measures a collective: for each size some runs to warm up, one that is checked, those that count,
 * and one more that is checked. The ranks meet before each run, so that nobody's lateness is measured;
 * the time of a run is that of its slowest rank.
 *
 * Every rank calls it with the same options and gets the same answer.
 *
 * @throws whatever the transport throws, such as E_RANK_LOST; the signal's reason when that aborts.
 */
export async function measureCollective(options: MeasureOptions): Promise<readonly MeasuredSize[]> {
  const { transport, op, sizes, dtype = "f32", root, signal, onSize } = options;
  const { warmUp = 2, iterations = 10 } = options;
  assert(iterations >= 1 && iterations + warmUp <= iterationsMax, "a sane number of iterations");
  assert(transport.ops.includes(op), `${transport.kind} carries out ${op}`);
  const measured: MeasuredSize[] = [];
  for (const size of sizes) {
    signal?.throwIfAborted();
    const prepared = await transport.prepare({
      op,
      bytes: size,
      dtype,
      ...(root === undefined ? {} : { root }),
    });
    try {
      const own = await measureOne(prepared, { ...options, warmUp, iterations });
      const all = await options.share(own);
      const { bytes } = prepared;
      const one = combine(all, { op, bytes, dtype, ranks: transport.worldSize });
      measured.push(one);
      onSize?.(one);
    } finally {
      prepared.close();
    }
  }
  return measured;
}

async function measureOne(
  prepared: PreparedCollective,
  options: MeasureOptions & { readonly warmUp: number; readonly iterations: number },
): Promise<RankTimes> {
  const { transport, warmUp, iterations, signal } = options;
  const once = async () => {
    signal?.throwIfAborted();
    await transport.barrier();
    return prepared.run();
  };
  const checked = async () => {
    await prepared.refill();
    await once();
    return prepared.verify();
  };
  const before = await checked();
  for (let index = 0; index < warmUp; index++) await once();
  const timesUs: number[] = [];
  for (let index = 0; index < iterations; index++) timesUs.push((await once()).timeUs);
  const after = await checked();
  const first = before.first ?? after.first;
  return {
    timesUs,
    wrong: before.wrong + after.wrong,
    elements: before.elements + after.elements,
    ...(first === undefined ? {} : { first }),
  };
}

/** Puts together what all ranks know. Pure: every rank comes to the same. */
export function combine(
  all: readonly RankTimes[],
  about: Pick<MeasuredSize, "op" | "bytes" | "dtype" | "ranks">,
): MeasuredSize {
  const iterations = Math.min(...all.map(({ timesUs }) => timesUs.length));
  const timesUs = Array.from({ length: iterations }, (_, index) =>
    Math.max(...all.map((rank) => rank.timesUs[index] ?? 0)),
  );
  const timeUs = median(timesUs);
  const algbwGBps = about.bytes / timeUs / 1e3;
  const bad = all.findIndex(({ wrong }) => wrong > 0);
  const first = all[bad]?.first;
  return {
    ...about,
    timesUs,
    timeUs,
    algbwGBps,
    // A group of one moves nothing.
    busbwGBps: about.ranks === 1 ? 0 : algbwGBps * busFactor(about.op, about.ranks),
    wrong: all.reduce((sum, { wrong }) => sum + wrong, 0),
    elements: all.reduce((sum, { elements }) => sum + elements, 0),
    ...(bad === -1 ? {} : { firstWrong: `rank ${bad}: ${first ?? "a wrong element"}` }),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
