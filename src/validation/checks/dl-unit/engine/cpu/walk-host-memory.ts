import { freemem, totalmem } from "node:os";
import { type Clock, sleep } from "../../../../../platform/time/index.ts";
import type { MemoryWalk, MemoryWalkOptions, Mismatch } from "../engine.ts";

/** What every 32-bit word is to hold, by its index. */
const patterns: Readonly<Record<string, (at: number, seed: number) => number>> = {
  "0x00": () => 0,
  "0xFF": () => 0xffff_ffff,
  "0xAA": () => 0xaaaa_aaaa,
  "0x55": () => 0x5555_5555,
  address: (at) => at >>> 0,
  random: (at, seed) => mixed(at ^ Math.imul(seed, 0x9e37_79b9)),
};

/** Writes patterns over some of the host's memory and reads them back. */
export async function walkHostMemory(
  options: MemoryWalkOptions & { readonly clock: Clock },
): Promise<MemoryWalk> {
  const { share, bytesMax, rounds, seed, flip, signal, clock } = options;
  const words = Math.max(1, Math.floor(Math.min(freemem() * share, bytesMax) / 4));
  const area = new Uint32Array(words);
  const gbps: number[] = [];
  const mismatches: (Mismatch & { pattern: string })[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [pattern, valueAt] of Object.entries(patterns)) {
      await sleep(clock, 0, signal);
      const startedMs = clock.monotonicMs();
      for (let at = 0; at < words; at++) area[at] = valueAt(at, seed + round);
      if (flip !== undefined) turnOver(area, flip.bit);
      const found = firstWrong(area, (at) => valueAt(at, seed + round));
      gbps.push((2 * area.byteLength) / Math.max(1e-3, clock.monotonicMs() - startedMs) / 1e6);
      if (found !== undefined) mismatches.push({ pattern, ...found });
    }
  }
  return { bytes: area.byteLength, totalBytes: totalmem(), gbps, mismatches };
}

function firstWrong(area: Uint32Array, valueAt: (at: number) => number): Mismatch | undefined {
  let wrong = 0;
  let first = "";
  for (let at = 0; at < area.length; at++) {
    const [found, expected] = [area[at] as number, valueAt(at)];
    if (found === expected) continue;
    wrong++;
    if (wrong === 1) first = `word ${at}: ${hex(expected)} expected, ${hex(found)} found`;
  }
  return wrong === 0 ? undefined : { wrong, first };
}

function turnOver(area: Uint32Array, bit: number): void {
  const at = Math.floor(bit / 32) % area.length;
  area[at] = ((area[at] as number) ^ (1 << (bit % 32))) >>> 0;
}

/** Spreads the bits of a whole number over all 32. */
function mixed(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb_352d);
  x = Math.imul(x ^ (x >>> 15), 0x846c_a68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}
