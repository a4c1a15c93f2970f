import { DistTensor, distribute, Mesh, replicate, shardSpec } from "../../dist/index.ts";
import * as op from "../../op/index.ts";
import { random, type Tensor } from "../../tensor/index.ts";
import { ExactTensor, matmul, matmulExact } from "../../tensor/ops/index.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import type { QaWorld } from "../world.ts";

const section = "parallelism";
/** Widths that divide the inner dimension and widths that do not. */
const widths = [2, 3, 5, 6, 8, 9];
const [rows, inner, columns] = [11, 48, 40];

/** A weight split by columns and by rows against the whole of it. */
export const tensorParallelChecks: readonly QaCheck[] = [
  {
    name: "column parallel",
    section,
    run: (world) => eachWidth(world, columnParallel),
  },
  {
    name: "row parallel",
    section,
    run: (world) => eachWidth(world, rowParallel),
  },
];

interface Split {
  readonly mesh: Mesh;
  readonly x: Tensor;
  readonly weight: Tensor;
}

interface Compared {
  readonly found: Tensor;
  readonly dense: Tensor;
  /** The share of elements that the usual sum of rounded parts would have changed. */
  readonly usualChanges?: number;
}

function eachWidth(world: QaWorld, compare: (split: Split) => Compared): QaFinding {
  const spec = { kind: "normal", seed: world.seed } as const;
  const x = random([rows, inner], { spec: { ...spec, stream: "x" } });
  const weight = random([inner, columns], { spec: { ...spec, stream: "weight" } });
  let usualChanges = 0;
  for (const width of widths) {
    const devices = world.devices.slice(0, width);
    const mesh = new Mesh({ axes: ["tp"], devices, topology: world.topology });
    const { found, dense, usualChanges: changes = 0 } = compare({ mesh, x, weight });
    usualChanges = Math.max(usualChanges, changes);
    if (found.digest() !== dense.digest()) {
      return { status: "fail", reason: `Over ${width} devices the product has other bits.` };
    }
  }
  return {
    status: "pass",
    reason: `${widths.join(", ")} devices give the product of one.`,
    facts:
      usualChanges === 0
        ? []
        : [counted("elements a sum of rounded parts would change", 100 * usualChanges, "%")],
  };
}

function columnParallel({ mesh, x, weight }: Split): Compared {
  const given = distribute(x, { mesh, layout: replicate() });
  const layout = shardSpec({ partition: [1], meshAxes: ["tp"] });
  const found = op.matmul(given, distribute(weight, { mesh, layout })).toTensor();
  return { found, dense: matmul(x, weight) };
}

function rowParallel({ mesh, x, weight }: Split): Compared {
  const xShards = distribute(x, { mesh, layout: shardSpec({ partition: [1], meshAxes: ["tp"] }) });
  const layout = shardSpec({ partition: [0], meshAxes: ["tp"] });
  const shards = distribute(weight, { mesh, layout });
  const parts = DistTensor.fromLocals({
    mesh,
    locals: (rank) => matmulExact(xShards.local(rank), shards.local(rank)).limbs,
  });
  const limbs = op.allReduce(parts, { op: "sum" }).local(0);
  const dense = matmul(x, weight, { accumulate: "exact" });
  const usual = op.reducePartial(op.matmul(xShards, shards)).toTensor();
  const changed = usual.toNumbers().filter((value, i) => value !== dense.toNumbers()[i]).length;
  return {
    found: ExactTensor.fromLimbs(limbs, { dtype: "f32" }).round("f32"),
    dense,
    usualChanges: changed / dense.size,
  };
}
