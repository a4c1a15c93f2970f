import { type OpRecord, recordOp } from "../../profile/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { delayed } from "../collectives/delayed.ts";
import { type SlowestLink, slowestLink } from "../collectives/slowest-link.ts";
import { chooseTopology, domainOf } from "../collectives/topology-of-mesh.ts";
import type { Health } from "../health/index.ts";
import { localShape } from "../layout/index.ts";
import { productOf } from "../mesh/index.ts";
import { modelCollective } from "../time-model/index.ts";
import { hopsOf } from "./hops.ts";
import type { RedistributePlan, RedistributeStep } from "./plan/plan-types.ts";

interface Slowness {
  readonly health: Health;
  /** Added to the first step whose time is modelled. */
  readonly delayUs: number;
}

/** Tells the profile about the steps that move bytes, with their modelled times. */
export function recordSteps(plan: RedistributePlan, { health, delayUs }: Slowness): void {
  let pendingUs = delayUs;
  for (const step of plan.steps) {
    const { kind } = step;
    if (step.totalBytes === 0 || kind === "slice" || kind === "fill") continue;
    if (kind === "copy") {
      recordOp(() => copied(plan, step));
      continue;
    }
    const addedUs = pendingUs;
    pendingUs = 0;
    recordOp(() => modelled(plan, { ...step, kind }, { health, delayUs: addedUs }));
  }
}

/** A copy between meshes goes over links that no model covers: its bytes are known, its time is not. */
function copied({ dtype, shape }: RedistributePlan, step: RedistributeStep): OpRecord {
  return {
    op: "redistribute copy",
    kind: "copy",
    bytes: step.totalBytes,
    flops: 0,
    devices: step.to.mesh.size,
    groups: 1,
    timeUs: undefined,
    source: "modelled",
    dtype,
    shape,
  };
}

type CollectiveStep = RedistributeStep & {
  readonly kind: "all-gather" | "all-to-all" | "all-reduce" | "reduce-scatter";
};

function modelled(
  plan: RedistributePlan,
  step: CollectiveStep,
  { health, delayUs }: Slowness,
): OpRecord {
  const { dtype, shape } = plan;
  const { mesh } = step.to;
  const groups = mesh.groups(step.meshAxes);
  const { topology, isAssumed } = chooseTopology(mesh);
  const group = groups[0] ?? [];
  const domains = group.map((rank) => domainOf(mesh, topology, rank));
  const sharing = groups.filter((one) =>
    one.some((rank) => domainOf(mesh, topology, rank) === domains[0]),
  );
  const bytes = bufferBytes(plan, step);
  const { slowdown, addUs } = slowestIn(step, health);
  const estimate = modelCollective({
    op: step.kind,
    bytes,
    devices: group.length,
    concurrentGroups: sharing.length,
    topology,
    devicesPerDomain: domains.filter((domain) => domain === domains[0]).length,
    slowestLinkShare: 1 / slowdown,
  });
  const { timeUs, algorithm, algbwGBps, busbwGBps, ...shares } = delayed(estimate, {
    op: step.kind,
    devices: group.length,
    delay: { us: delayUs, eachMessageUs: addUs },
  });
  return {
    op: step.kind,
    kind: "collective",
    bytes,
    flops: 0,
    devices: mesh.size,
    groups: groups.length,
    timeUs,
    source: "modelled",
    algorithm,
    dtype,
    shape,
    topology: topology.name,
    axes: step.meshAxes,
    algbwGBps,
    busbwGBps,
    linkPercent: shares.linkPercent,
    bisectionPercent: shares.bisectionPercent,
    aggregatePercent: shares.aggregatePercent,
    notes: [
      "step of a redistribution",
      ...(isAssumed ? [`TOPOLOGY_ASSUMED the mesh names none; modelled as ${topology.name}`] : []),
    ],
  };
}

/** S of nccl-tests: the largest buffer a rank has before or after the step. */
function bufferBytes({ dtype, shape }: RedistributePlan, { from, to }: RedistributeStep): number {
  let most = 0;
  for (const { mesh, layout } of [from, to]) {
    for (let rank = 0; rank < mesh.size; rank++) {
      most = Math.max(most, productOf(localShape(layout, { mesh, shape, rank })));
    }
  }
  return most * dtypeInfo(dtype).bytes;
}

function slowestIn(
  { kind, to: { mesh }, meshAxes }: RedistributeStep,
  health: Health,
): SlowestLink {
  const { topology } = chooseTopology(mesh);
  const hops = function* () {
    for (const group of mesh.groups(meshAxes)) yield* hopsOf(kind, group);
  };
  return slowestLink({ op: "redistribute", mesh, health, topology, hops: hops() });
}
