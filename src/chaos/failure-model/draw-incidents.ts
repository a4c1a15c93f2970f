import assert from "node:assert/strict";
import type { Chance } from "../chance/index.ts";
import { logUniform } from "./distributions.ts";
import type { FailureModel } from "./failure-model.ts";
import { FailureSource } from "./failure-source.ts";
import type { DefectiveDevice, Incident, JobStop, Straggling } from "./incident.ts";

export interface DrawOptions {
  /** The same seed, purpose and node give the same draws. */
  readonly chance: Chance;
  readonly nodes: number;
  readonly devicesPerNode: number;
  readonly horizonUs: number;
}

/** All that happens to a fleet and one job on it, each list in the order of time. */
export interface DrawnFailures {
  readonly incidents: readonly Incident[];
  readonly stragglers: readonly Straggling[];
  readonly stops: readonly JobStop[];
  readonly defects: readonly DefectiveDevice[];
}

const nodesMax = 2 ** 17;
const eventsMax = 2 ** 20;

/** Draws everything beforehand. Nodes under repair have no incidents; what is hit beside a node has its own life. */
export function drawFailures(model: FailureModel, options: DrawOptions): DrawnFailures {
  const { chance, nodes, devicesPerNode, horizonUs } = options;
  assert(nodes >= 1 && nodes <= nodesMax, `a fleet has 1 to ${nodesMax} nodes`);
  const source = new FailureSource(model, chance, devicesPerNode);
  const incidents: Incident[] = [];
  const stragglers: Straggling[] = [];
  for (let node = 0; node < nodes; node++) {
    collect(incidents, horizonUs, (fromUs) => source.incident(node, fromUs), repairedUs);
    collect(stragglers, horizonUs, (fromUs) => source.straggling(node, fromUs), overUs);
  }
  const stops: JobStop[] = [];
  collect(stops, horizonUs, (fromUs) => source.softwareStop(fromUs), timeUs);
  collect(stops, horizonUs, (fromUs) => source.plannedStop(fromUs), timeUs);
  const byTime = (one: { readonly atUs: number }, other: { readonly atUs: number }): number =>
    one.atUs - other.atUs;
  return {
    incidents: incidents.toSorted(byTime),
    stragglers: stragglers.toSorted(byTime),
    stops: stops.toSorted(byTime),
    defects: defectiveDevices(model, options),
  };
}

/** Devices that compute wrong, with how often. */
export function defectiveDevices(
  { sdc }: FailureModel,
  { chance, nodes, devicesPerNode }: Omit<DrawOptions, "horizonUs">,
): readonly DefectiveDevice[] {
  const { defectiveShare, perOperationMin, perOperationMax, notANumberShare } = sdc;
  const found: DefectiveDevice[] = [];
  for (let device = 0; device < nodes * devicesPerNode; device++) {
    const stream = chance.stream("fleet defect", Math.floor(device / devicesPerNode));
    if (!stream.bernoulli(defectiveShare.value)) continue;
    const perOperation = logUniform(stream, perOperationMin.value, perOperationMax.value);
    found.push({ device, perOperation, isNotANumber: stream.bernoulli(notANumberShare.value) });
  }
  return found;
}

/** One after the other, each drawn from where the last one is over. */
function collect<T>(
  into: T[],
  horizonUs: number,
  draw: (fromUs: number) => (T & { readonly atUs: number }) | null,
  endUs: (event: T) => number,
): void {
  let fromUs = 0;
  for (let count = 0; count < eventsMax; count++) {
    const event = draw(fromUs);
    if (event === null || event.atUs > horizonUs) return;
    assert(into.length < eventsMax, `at most ${eventsMax} events are drawn at once`);
    into.push(event);
    fromUs = endUs(event);
    if (fromUs > horizonUs) return;
  }
}

const timeUs = ({ atUs }: { readonly atUs: number }): number => atUs;
const repairedUs = ({ atUs, repairUs }: Incident): number => atUs + repairUs;
const overUs = ({ atUs, durationUs }: Straggling): number => atUs + durationUs;
