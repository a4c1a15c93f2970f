import { formatBytes } from "../../../../platform/units/index.ts";
import { formatShape } from "../../../tensor/shape.ts";
import type { Placed, RedistributePlan, RedistributeStep } from "./plan-types.ts";

/** A plan in lines for people: what, from where to where, and each step with its bytes. */
export function describePlan(plan: Omit<RedistributePlan, "describe">): string {
  const { dtype, shape, from, to, steps, totalBytes } = plan;
  const head = `${dtype}${formatShape(shape)}: ${show(from, from)} to ${show(to, from)}`;
  if (steps.length === 0) return `${head}: nothing to do`;
  const lines = steps.map((step, index) => `  ${index + 1}. ${describeStep(step)}`);
  return [...[head], ...lines, `  total: ${formatBytes(totalBytes)}`].join("\n");
}

function describeStep(step: RedistributeStep): string {
  const { kind, meshAxes, from, to, op, totalBytes, bytesPerRank, links } = step;
  const over = meshAxes.length === 0 ? "" : ` over ${meshAxes.join(", ")}`;
  const by = op === undefined ? "" : ` (${op})`;
  const amount =
    totalBytes === 0
      ? "no bytes"
      : `${formatBytes(bytesPerRank)} a rank at most, ${formatBytes(totalBytes)} in total`;
  const pairs = links === undefined ? "" : `, ${describeLinks(links)}`;
  return `${kind}${by}${over}: ${show(from, from)} to ${show(to, from)}; ${amount}${pairs}`;
}

function describeLinks(links: NonNullable<RedistributeStep["links"]>): string {
  const [top] = links.busiest;
  const stays = `${formatBytes(links.bytesInPlace)} stay in place`;
  if (top === undefined) return stays;
  const busiest = `busiest ${top.from} to ${top.to} with ${formatBytes(top.bytes)}`;
  return `${links.pairs} pairs of devices, ${busiest}; ${stays}`;
}

/** The layout; with the mesh, where it is not the one known from the start. */
function show({ mesh, layout }: Placed, known: Placed): string {
  return mesh === known.mesh
    ? `[${layout.describe()}]`
    : `[${layout.describe()}] on ${mesh.describe()}`;
}
