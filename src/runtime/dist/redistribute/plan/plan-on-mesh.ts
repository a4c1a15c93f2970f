import assert from "node:assert/strict";
import type { DType } from "../../../tensor/dtype/index.ts";
import { dtypeInfo } from "../../../tensor/dtype/index.ts";
import type { Layout } from "../../layout/index.ts";
import type { Mesh } from "../../mesh/index.ts";
import { takeStep } from "./next-step.ts";
import type { RedistributeStep } from "./plan-types.ts";
import { State } from "./state.ts";
import { receivedIn } from "./step-bytes.ts";

/** Each axis is gathered, reduced, split and filled at most once. */
const stepsPerAxisMax = 4;

/** The steps from one layout to another on the same mesh. */
export function planOnMesh(question: {
  readonly mesh: Mesh;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly from: Layout;
  readonly to: Layout;
}): RedistributeStep[] {
  const { mesh, shape, dtype, to } = question;
  const dims = shape.length;
  const current = new State(question.from, dims);
  const target = new State(to, dims);
  const steps: RedistributeStep[] = [];
  let from = question.from;
  for (let chosen = step(); chosen !== undefined; chosen = step()) {
    assert(steps.length < stepsPerAxisMax * mesh.axes.length, "each step brings the target nearer");
    const { kind, axes, ...rest } = chosen;
    const meshAxes = axes.map((axis) => mesh.axes[axis] ?? "");
    const next = current.layout();
    const received = receivedIn(
      { kind, mesh, shape, from, to: next, meshAxes, ...rest },
      dtypeInfo(dtype).bytes,
    );
    const places = { from: { mesh, layout: from }, to: { mesh, layout: next } };
    steps.push({ kind, ...places, meshAxes, ...rest, ...received });
    from = next;
  }
  assert(from.equals(to), "the steps end at the target");
  return steps;

  function step() {
    return takeStep({ mesh, dims, current, target });
  }
}
