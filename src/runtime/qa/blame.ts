import { DistTensor, type Mesh } from "../dist/index.ts";
import * as op from "../op/index.ts";
import type { Tensor } from "../tensor/index.ts";
import { roundToF32, sumExactly } from "./inputs/exact-sum.ts";
import { f32Bits, flipF32 } from "./inputs/f32-bits.ts";

/** Contributions by rank, as they should be. */
export interface Handed {
  readonly mesh: Mesh;
  readonly truth: readonly Tensor[];
}

/**
 * Who is to blame for a wrong sum, as a sentence that names ranks, or undefined when it cannot be
 * told. First every rank shows what it hands in; if they all show the right values, the wrong bits
 * themselves tell which single flipped bit of which rank explains them.
 */
export function blameForSum(handed: Handed, result: Tensor): string | undefined {
  return shownWrong(handed) ?? explainedByOneBit(handed, result);
}

/** Lets every rank show what it hands in, and names the first that shows something else. */
export function shownWrong({ mesh, truth }: Handed): string | undefined {
  const given = DistTensor.fromLocals({ mesh, locals: truth });
  const shown = op.allGather(given, { dim: 0 }).local(0);
  const perRank = truth[0]?.size ?? 0;
  for (const [rank, right] of truth.entries()) {
    for (let index = 0; index < perRank; index++) {
      const value = shown.at(rank * perRank + index);
      const expected = right.at(index);
      if (Object.is(value, expected)) continue;
      const show = right.dtype === "f32" ? f32Bits : String;
      const was = `${show(value)} instead of ${show(expected)}`;
      return `${nameRanks(mesh, [rank])} handed in ${was} as element ${index}`;
    }
  }
  return undefined;
}

/** The ranks of a result whose copy differs from the expected one, or from the most common. */
export function oddRanks(result: DistTensor, expectedDigest?: string): number[] {
  // Ranks that hold the same copy hand out the same tensor; one digest serves them all.
  const known = new Map<Tensor, string>();
  const digests = result.mesh.devices.map((_, rank) => {
    const copy = result.local(rank);
    const digest = known.get(copy) ?? copy.digest();
    known.set(copy, digest);
    return digest;
  });
  const right = expectedDigest ?? mostCommon(digests);
  return [...digests.keys()].filter((rank) => digests[rank] !== right);
}

/** `rank 5 (device 5)`, at most three of them by name. */
export function nameRanks(mesh: Mesh, ranks: readonly number[]): string {
  const named = ranks.slice(0, 3).map((rank) => `rank ${rank} (device ${mesh.deviceOf(rank)})`);
  const more = ranks.length > 3 ? ` and ${ranks.length - 3} more` : "";
  return `${named.join(", ")}${more}`;
}

function explainedByOneBit({ mesh, truth }: Handed, result: Tensor): string | undefined {
  for (let index = 0; index < result.size; index++) {
    const column = truth.map((one) => one.at(index));
    const value = result.at(index);
    if (Object.is(value, roundToF32(sumExactly(column)))) continue;
    const suspects = column.flatMap((_, rank) => (explains(column, rank, value) ? [rank] : []));
    if (suspects.length === 0) return undefined;
    const verb = suspects.length === 1 ? "explains" : "each explain";
    return `one wrong bit of element ${index} from ${nameRanks(mesh, suspects)} ${verb} it`;
  }
  return undefined;
}

function explains(column: readonly number[], rank: number, value: number): boolean {
  for (let bit = 0; bit < 32; bit++) {
    const changed = column.with(rank, flipF32(column[rank] ?? 0, bit));
    if (Object.is(roundToF32(sumExactly(changed)), value)) return true;
  }
  return false;
}

function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
