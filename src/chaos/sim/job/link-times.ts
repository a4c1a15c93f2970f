import type { Network } from "../network/index.ts";
import { never } from "../network/index.ts";

/** One direction between two slots. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/** Groups up to this size are looked at pair by pair while links are disturbed. */
const allPairsMax = 16;

/**
 * The modelled time of one sum over a group: a ring for what is large, a tree for what is small, whichever is
 * faster, each as slow as the slowest link it uses. `never` when one of those links is cut; one that flaps counts
 * as up.
 */
export function sumUs(
  network: Network,
  slots: readonly number[],
  options: { readonly bytes: number; readonly isDisturbed: boolean },
): number {
  const count = slots.length;
  if (count === 1) return 1;
  const { bytes, isDisturbed } = options;
  const part = Math.ceil(bytes / count);
  const slowest = (size: number) =>
    isDisturbed ? slowestOfMany(network, slots, size) : slowestOfRing(network, slots, size);
  const ringUs = 2 * (count - 1) * slowest(part);
  if (ringUs === never) return never;
  const treeUs = 2 * levelsOf(count) * slowest(bytes);
  return Math.max(1, Math.round(Math.min(ringUs, treeUs)));
}

/** The links that a sum over a group uses and that take nothing now. */
export function shutLinks(network: Network, slots: readonly number[]): readonly Link[] {
  const shut: Link[] = [];
  forPairs(slots, (from, to) => {
    if (!network.stateOf(from, to).isOpen) shut.push({ from, to });
  });
  return shut;
}

/** How often a number is halved until it is 1, rounded up. */
export function levelsOf(count: number): number {
  return 32 - Math.clz32(count - 1);
}

function slowestOfRing(network: Network, slots: readonly number[], bytes: number): number {
  let slowest = 0;
  for (let at = 0; at < slots.length; at++) {
    const [from, to] = [slots[at] as number, slots[(at + 1) % slots.length] as number];
    const us = network.transferUs(from, to, bytes);
    if (us > slowest) slowest = us;
  }
  return slowest;
}

function slowestOfMany(network: Network, slots: readonly number[], bytes: number): number {
  let slowest = 0;
  forPairs(slots, (one, other) => {
    slowest = Math.max(slowest, network.transferUs(one, other, bytes));
  });
  return slowest;
}

/** All pairs of a small group; of a large one those of ring and tree, in both directions. */
function forPairs(slots: readonly number[], look: (one: number, other: number) => void): void {
  const count = slots.length;
  for (let at = 0; at < count; at++) {
    for (let distance = 1; distance < count; distance += count <= allPairsMax ? 1 : distance) {
      const [one, other] = [slots[at] as number, slots[(at + distance) % count] as number];
      look(one, other);
      if (count > allPairsMax) look(other, one);
    }
  }
}
