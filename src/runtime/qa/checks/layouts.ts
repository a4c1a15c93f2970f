import { distribute, type LayoutSpec, replicate, shardSpec, tensor } from "../../dist/index.ts";
import { random } from "../../tensor/index.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import type { QaWorld } from "../world.ts";

const section = "mesh and layouts";

/** Chapter 3.2: meshes have the shape they should, shards tile their tensor, and nothing is lost. */
export const layoutChecks: readonly QaCheck[] = [
  {
    name: "ragged shards",
    section,
    run: raggedShards,
  },
  {
    name: "huge tensor",
    section,
    run: hugeTensor,
  },
  {
    name: "gather",
    section,
    run: gathers,
  },
  {
    name: "redistribute",
    section,
    run: movesAndReturns,
  },
];

function twoAxes({ parallel }: QaWorld): LayoutSpec {
  return shardSpec({ partition: ["row", "col"], meshAxes: parallel.mesh.axes.slice(0, 2) });
}

function raggedShards(world: QaWorld): QaFinding {
  const { mesh } = world.parallel;
  const sharded = tensor([1000, 1000], { mesh, layout: twoAxes(world) });
  const report = sharded.shardingReport();
  const shapes = new Set(mesh.devices.map((_, rank) => sharded.local(rank).shape.join("x")));
  const facts = [counted("shard shapes", [...shapes].join(", ")), counted("mesh", mesh.describe())];
  const [error] = report.errors;
  if (error !== undefined) return { status: "fail", reason: error.message, facts };
  return {
    status: "pass",
    reason: `${mesh.size} shards tile 1000 x 1000 without a gap, though the axes do not divide it.`,
    facts,
  };
}

function hugeTensor(world: QaWorld): QaFinding {
  const { mesh } = world.parallel;
  const sharded = tensor([1_000_000, 1_000_000], { mesh, layout: twoAxes(world) });
  const [error] = sharded.shardingReport().errors;
  if (error !== undefined) return { status: "fail", reason: error.message };
  return {
    status: "pass",
    reason: `${mesh.size} shards tile 10^12 elements, checked without making them.`,
  };
}

const shape = [101, 67];

function gathers(world: QaWorld): QaFinding {
  const whole = random(shape, { spec: { kind: "normal", seed: world.seed }, dtype: "bf16" });
  const expected = whole.digest();
  for (const { name, mesh } of world.layouts) {
    for (const axis of mesh.axes) {
      for (const dim of [0, 1]) {
        const layout = shardSpec({ partition: [dim], meshAxes: [axis] });
        const sharded = distribute(whole, { mesh, layout });
        const found = sharded.toTensor().digest();
        if (found !== expected || sharded.digest() !== expected) {
          return {
            status: "fail",
            reason: `Dimension ${dim} sharded over ${axis} of ${name} does not gather to itself.`,
          };
        }
      }
    }
  }
  const count = `${world.layouts.length} arrangements`;
  return {
    status: "pass",
    reason: `${count} gather to the same bits.`,
    facts: [counted("digest", expected)],
  };
}

function movesAndReturns(world: QaWorld): QaFinding {
  const whole = random(shape, { spec: { kind: "normal", seed: world.seed }, dtype: "f32" });
  const { mesh } = world.parallel;
  const from = twoAxes(world);
  const [first = "", , last = ""] = mesh.axes;
  const stops: readonly LayoutSpec[] = [
    replicate(),
    shardSpec({ partition: [1], meshAxes: [first] }),
    shardSpec({ partition: [0], meshAxes: [[first, last]] }),
  ];
  for (const [index, layout] of stops.entries()) {
    const there = distribute(whole, { mesh, layout: from }).redistribute({ layout });
    const back = there.redistribute({ layout: from });
    if (there.digest() !== whole.digest() || back.digest() !== whole.digest()) {
      return {
        status: "fail",
        reason: `The tensor changed on its way to layout ${index} and back.`,
      };
    }
  }
  return { status: "pass", reason: `${stops.length} moves and returns keep every bit.` };
}
