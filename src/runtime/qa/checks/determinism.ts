import { DistTensor, type Mesh } from "../../dist/index.ts";
import * as op from "../../op/index.ts";
import { fromValues, type Tensor } from "../../tensor/index.ts";
import { blameForSum, nameRanks, oddRanks } from "../blame.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import { contribution, type InputKind, inputKinds } from "../inputs/contributions.ts";
import { roundToF32, sumExactly } from "../inputs/exact-sum.ts";
import type { QaWorld, WorldLayout } from "../world.ts";

const section = "deterministic reductions";

/** One check for each kind of input, and one that shows that order matters where we let it. */
export const determinismChecks: readonly QaCheck[] = [
  ...inputKinds.map(
    (kind): QaCheck => ({
      name: `sum of ${kind}`,
      section,
      run: (world) => sameEverywhere(world, kind),
    }),
  ),
  {
    name: "orders differ",
    section,
    run: ringDiffers,
  },
];

/** Flat in every arrangement, and in the three phases of a hierarchy. */
function sameEverywhere(world: QaWorld, kind: InputKind): QaFinding {
  const byDevice = contributions(world, kind);
  const expected = sumByWholeNumbers(byDevice);
  const digests = new Set<string>();
  let sums = 0;
  for (const layout of world.layouts) {
    const handed = byRank(byDevice, layout.mesh);
    for (const [way, sum] of waysToSum(layout)) {
      const given = DistTensor.fromLocals({ mesh: layout.mesh, locals: handed });
      const result = sum(given);
      const wrong = judge({ result, expected, handed, where: `${way} on ${layout.name}` });
      if (wrong !== undefined) return wrong;
      digests.add(result.local(0).digest());
      sums++;
    }
  }
  return {
    status: "pass",
    reason: `${sums} ways to sum over ${world.devices.length} devices give one digest.`,
    facts: [counted("digest", [...digests].join(" ")), counted("ways", sums)],
  };
}

type Sum = (given: DistTensor) => DistTensor;

function waysToSum({ mesh }: WorldLayout): [string, Sum][] {
  const flat: [string, Sum] = ["all at once", (given) => op.allReduce(given, { op: "sum" })];
  if (mesh.axes.length === 1) return [flat];
  return [flat, ["in a hierarchy", (given) => op.hierarchicalAllReduce(given, { op: "sum" })]];
}

interface Judged {
  readonly result: DistTensor;
  readonly expected: Tensor;
  readonly handed: readonly Tensor[];
  readonly where: string;
}

function judge({ result, expected, handed, where }: Judged): QaFinding | undefined {
  const { mesh } = result;
  const odd = oddRanks(result, expected.digest());
  if (odd.length === 0) return undefined;
  const isEveryone = odd.length === mesh.size;
  const who = isEveryone
    ? (blameForSum({ mesh, truth: handed }, result.local(0)) ??
      "every rank has the same wrong sum, and no single rank explains it")
    : `${nameRanks(mesh, odd)} ended with another value than the others`;
  return {
    status: "fail",
    reason: `The sum ${where} is not the exact one: ${who}.`,
    hint: "Take the named device out of service and run its checks; its memory or links corrupt data.",
  };
}

/** What each device hands in, whatever its rank. */
function contributions({ seed, devices }: QaWorld, kind: InputKind): Tensor[] {
  return devices.map((device) => contribution({ kind, seed, device: Number(device) }));
}

function byRank(byDevice: readonly Tensor[], mesh: Mesh): Tensor[] {
  return mesh.devices.flatMap((device) => byDevice[Number(device)] ?? []);
}

/** In no order at all. */
function sumByWholeNumbers(all: readonly Tensor[]): Tensor {
  const columns = all.map((one) => one.toNumbers());
  const sums = (columns[0] ?? new Float64Array()).map((_, index) =>
    roundToF32(sumExactly(columns.map((column) => column[index] ?? Number.NaN))),
  );
  return fromValues(Float32Array.from(sums), { dtype: "f32" });
}

function ringDiffers(world: QaWorld): QaFinding {
  const [flat] = world.layouts;
  if (flat === undefined)
    return { status: "unknown", reason: "There is no arrangement to sum in." };
  const handed = byRank(contributions(world, "mixed magnitude"), flat.mesh);
  const given = DistTensor.fromLocals({ mesh: flat.mesh, locals: handed });
  const exact = op.allReduce(given, { op: "sum" }).local(0);
  const ring = op.allReduce(given, { op: "sum", order: "ring" }).local(0);
  let differing = 0;
  let worstShare = 0;
  for (let index = 0; index < exact.size; index++) {
    if (Object.is(exact.at(index), ring.at(index))) continue;
    differing++;
    const magnitudes = handed.reduce((sum, one) => sum + Math.abs(one.at(index)), 0);
    const bound = op.orderErrorBound({
      order: "ring",
      ranks: handed.length,
      dtype: "f32",
      sumOfMagnitudes: magnitudes,
    });
    worstShare = Math.max(worstShare, Math.abs(exact.at(index) - ring.at(index)) / bound);
  }
  const facts = [
    counted("elements that differ", (100 * differing) / exact.size, "%"),
    counted("largest error, of its bound", 100 * worstShare, "%"),
  ];
  if (worstShare > 1) {
    return { status: "fail", reason: "A sum in ring order is further off than it can be.", facts };
  }
  if (differing === 0) {
    return {
      status: "fail",
      reason: "A sum in ring order has the bits of the exact one, so this test sees no order.",
      facts,
    };
  }
  return {
    status: "pass",
    reason: `Ring order changes ${differing} of ${exact.size} elements; the default changes none.`,
    facts,
  };
}
