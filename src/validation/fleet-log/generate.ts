import { createRng, type Rng } from "../../platform/rng/index.ts";
import {
  costOf,
  secondsPerDay,
  secondsPerHour,
  staleAfterDaysDefault,
} from "../prioritize/index.ts";
import { programXids } from "./catalogue.ts";
import { poissonTimes } from "./chance.ts";
import { type Happening, type LogLine, SimulatedCluster } from "./cluster.ts";
import { drawLemons, drawOnsets, type Onset } from "./onsets.ts";
import { type FleetLogOptions, type FleetPlan, planFleet } from "./options.ts";

const nodesPerRack = 16;
const maintenancePerNodeDay = 1 / 400;

/** The lines of a simulated fleet's log, in the format of `tessera policy replay`. */
export function* simulateFleet(options: FleetLogOptions = {}): Generator<string, void, undefined> {
  const plan = planFleet(options);
  const rng = createRng(plan.seed);
  const header = headerOf(plan, rng);
  yield JSON.stringify(header);
  const onsets = drawOnsets(plan, drawLemons(plan, rng), rng);
  const jobs = new SimulatedCluster(plan, rng, troubleOf(plan, onsets, rng)).run();
  const lines = [...hiddenLines(plan, onsets), ...maintenance(plan, rng), ...jobs];
  // Stable: at the same second a defect begins before it shows, and a job ends before the next.
  for (const { node, ...line } of lines.toSorted((a, b) => a.t - b.t)) {
    const { type, t, ...rest } = line;
    yield JSON.stringify({ type, t, node: header.nodes[node]?.name, ...rest });
  }
}

function headerOf(plan: FleetPlan, rng: Rng) {
  const stream = rng.stream("nodes");
  const nodes = Array.from({ length: plan.nodes }, (_, index) => ({
    name: `node-${String(index + 1).padStart(4, "0")}`,
    sku: stream.float() < 0.75 ? "h100-sxm5-80gb" : "h200-sxm5-141gb",
    rack: `rack-${String(Math.floor(index / nodesPerRack) + 1).padStart(2, "0")}`,
    gpus: 8,
  }));
  const checks = plan.checks.map(({ falseAlarm, ...check }) =>
    falseAlarm > 0 ? { ...check, falseAlarm } : check,
  );
  const round = nodes.flatMap((node) => plan.checks.map((check) => costOf(node, check)));
  const roundGpuHours = round.reduce((sum, cost) => sum + cost, 0);
  const dearest = Math.max(...round);
  const gpuHoursPerDay = Math.max(dearest, (plan.budget * roundGpuHours) / staleAfterDaysDefault);
  return {
    type: "fleet",
    start: 0,
    end: plan.days * secondsPerDay,
    nodes,
    checks,
    limits: { inFlight: plan.inFlight, gpuHoursPerDay: Math.round(gpuHoursPerDay * 10) / 10 },
  };
}

/** What would strike each node if a job were on it: crashes and kernel events, with and without cause. */
function troubleOf(plan: FleetPlan, onsets: readonly Onset[], rng: Rng): Happening[] {
  const endS = plan.days * secondsPerDay;
  const trouble: Happening[] = [];
  const perS = (perHour: number) => perHour / secondsPerHour;
  for (let node = 0; node < plan.nodes; node++) {
    const stream = rng.stream("background", node);
    const span = { from: 0, to: endS };
    const crashes = { ...span, ratePerS: perS(plan.healthyCrashesPerHour) };
    for (const t of poissonTimes(stream, crashes)) trouble.push({ type: "crash", t, node });
    const events = { ...span, ratePerS: perS(plan.programEventsPerHour) };
    for (const t of poissonTimes(stream, events)) {
      trouble.push({ type: "kernel", t, node, xid: stream.pick(programXids) });
    }
  }
  for (const { id: defect, node, kind, strength, fromS, untilS } of onsets) {
    const stream = rng.stream("evidence", defect);
    const span = { from: fromS, to: Math.min(untilS, endS) };
    const crashes = { ...span, ratePerS: perS(strength * kind.crashesPerBusyHour) };
    for (const t of poissonTimes(stream, crashes)) trouble.push({ type: "crash", t, node, defect });
    if (kind.xids.length === 0) continue;
    const events = { ...span, ratePerS: perS(strength * kind.kernelEventsPerBusyHour) };
    for (const t of poissonTimes(stream, events)) {
      trouble.push({ type: "kernel", t, node, xid: stream.pick(kind.xids), defect });
    }
  }
  return trouble;
}

function hiddenLines(plan: FleetPlan, onsets: readonly Onset[]): LogLine[] {
  const endS = plan.days * secondsPerDay;
  return onsets.flatMap(({ id, node, kind, fromS, untilS }): LogLine[] => [
    { type: "defect", t: fromS, node, id, kind: kind.name },
    ...(untilS < endS ? [{ type: "repair", t: untilS, node, defect: id } as const] : []),
  ]);
}

/** Repairs that end no defect: planned work on any node. */
function maintenance(plan: FleetPlan, rng: Rng): LogLine[] {
  const stream = rng.stream("maintenance");
  const ratePerS = (plan.nodes * maintenancePerNodeDay) / secondsPerDay;
  const span = { ratePerS, from: 0, to: plan.days * secondsPerDay };
  return poissonTimes(stream, span).map((t) => ({
    type: "repair",
    t: Math.round(t),
    node: stream.int(plan.nodes),
  }));
}
