import { DistTensor, type Mesh } from "../../dist/index.ts";
import * as op from "../../op/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { nameRanks, shownWrong } from "../blame.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import type { QaWorld } from "../world.ts";

const section = "collectives";
/** Gathering in larger groups costs the square of their size and shows nothing more. */
const groupMax = 128;

interface Case {
  readonly name: string;
  run(given: DistTensor, axis: string): DistTensor;
  /** What the members of a group should end with, from what they handed in, by place. */
  expected(group: readonly Int32Array[]): (place: number) => Int32Array;
}

const cases: readonly Case[] = [
  {
    name: "all-reduce",
    run: (given, over) => op.allReduce(given, { op: "sum", over }),
    expected: (group) => always(sums(group)),
  },
  {
    name: "max",
    run: (given, over) => op.allReduce(given, { op: "max", over }),
    expected: (group) => always(fold(group, Math.max)),
  },
  {
    name: "reduce-scatter",
    run: (given, over) => op.reduceScatter(given, { op: "sum", over, dim: 0 }),
    expected: (group) => {
      const total = sums(group);
      return (place) => piece(total, group.length, place);
    },
  },
  {
    name: "all-gather",
    run: (given, over) => op.allGather(given, { over, dim: 0 }),
    expected: (group) => always(joined(group)),
  },
  {
    name: "broadcast",
    run: (given, over) => op.broadcast(given, { over, root: 1 }),
    expected: (group) => always(group[1] ?? new Int32Array()),
  },
  {
    name: "all-to-all",
    run: (given, over) => op.allToAll(given, { over, splitDim: 0, concatDim: 0 }),
    expected: (group) => (place) => joined(group.map((one) => piece(one, group.length, place))),
  },
];

/** Every collective over every axis, each rank against what it should end with. */
export const collectiveChecks: readonly QaCheck[] = cases.map((one) => ({
  name: one.name,
  section,
  run: (world) => everyAxis(world, one),
}));

function everyAxis(world: QaWorld, one: Case): QaFinding {
  let groups = 0;
  for (const { name, mesh } of world.layouts) {
    const axes = mesh.axes.filter((axis) => mesh.axisSize(axis) <= groupMax);
    // Equal pieces for the groups of every axis.
    const perRank = axes.map((axis) => mesh.axisSize(axis)).reduce(leastMultiple, 2);
    const handed = mesh.devices.map((device) => numbersOf(Number(device), perRank));
    const locals = handed.map((raw) => Tensor.over(raw, { dtype: "i32", shape: [perRank] }));
    const given = DistTensor.fromLocals({ mesh, locals });
    for (const axis of axes) {
      const odd = wrongRanks({ mesh, handed, one, axis, result: one.run(given, axis) });
      if (odd.length > 0) {
        const reason = `${nameRanks(mesh, odd)} got wrong values over ${axis} of ${name}`;
        const source = shownWrong({ mesh, truth: locals });
        return { status: "fail", reason: `${reason}${source === undefined ? "" : `: ${source}`}.` };
      }
      groups += mesh.groups(axis).length;
    }
  }
  const reason = `${groups} groups ended with what they should.`;
  return { status: "pass", reason, facts: [counted("groups", groups)] };
}

interface Compared {
  readonly mesh: Mesh;
  readonly handed: readonly Int32Array[];
  readonly one: Case;
  readonly axis: string;
  readonly result: DistTensor;
}

function wrongRanks({ mesh, handed, one, axis, result }: Compared): number[] {
  return mesh.groups(axis).flatMap((ranks) => {
    const expected = one.expected(ranks.map((rank) => handed[rank] ?? new Int32Array()));
    return ranks.filter((rank, place) => !sameNumbers(result.local(rank).toRaw(), expected(place)));
  });
}

function sameNumbers(found: ArrayLike<number>, expected: Int32Array): boolean {
  if (found.length !== expected.length) return false;
  for (let index = 0; index < expected.length; index++) {
    if (found[index] !== expected[index]) return false;
  }
  return true;
}

/** Whole numbers that tell device and place, so that a swap shows. */
function numbersOf(device: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, index) => device * count + index);
}

/** The least common multiple. */
function leastMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

function always(value: Int32Array): () => Int32Array {
  return () => value;
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function sums(group: readonly Int32Array[]): Int32Array {
  return fold(group, (a, b) => a + b);
}

function fold(group: readonly Int32Array[], combine: (a: number, b: number) => number): Int32Array {
  const [first = new Int32Array(), ...others] = group;
  const total = Int32Array.from(first);
  for (const one of others) {
    for (let index = 0; index < total.length; index++) {
      total[index] = combine(total[index] ?? 0, one[index] ?? 0);
    }
  }
  return total;
}

function piece(all: Int32Array, pieces: number, place: number): Int32Array {
  const size = Math.ceil(all.length / pieces);
  return all.slice(place * size, (place + 1) * size);
}
