import type { Topology } from "../topology/index.ts";
import { b200 } from "./calibration/b200.ts";
import { gb200 } from "./calibration/gb200.ts";
import { h100 } from "./calibration/h100.ts";
import { mi350 } from "./calibration/mi350.ts";
import type { DomainModel, DomainQuery, DomainTime } from "./domain.ts";
import { createIslandModel } from "./island.ts";
import { createRackModel } from "./rack.ts";

const models: Readonly<Record<Topology["fabric"]["calibration"]["family"], DomainModel>> = {
  gb200: createRackModel(gb200),
  b200: createIslandModel(b200, { kind: "switched", bytesMax: 2 ** 31 }),
  h100: createIslandModel(h100, { kind: "switched", bytesMax: 2 ** 31 }),
  mi350: createIslandModel(mi350, { kind: "mesh", bytesMax: 2 ** 30 }),
};

/** A time inside one domain, with the part of it that does not depend on bytes. */
export interface ScaledTime extends DomainTime {
  readonly latencyUs: number;
}

/** The time of a measured collective in a domain of this topology: its family's, scaled. */
export function timeInDomain(topology: Topology, query: DomainQuery): ScaledTime {
  const { family, transferScale, latencyScale } = topology.fabric.calibration;
  const model = models[family];
  const { timeUs, algorithm } = model.timeOf(query);
  const familyLatencyUs = Math.min(timeUs, model.timeOf({ ...query, bytes: 0 }).timeUs);
  const latencyUs = familyLatencyUs * latencyScale.value;
  const transferUs = (timeUs - familyLatencyUs) * transferScale.value;
  return { timeUs: latencyUs + transferUs, latencyUs, algorithm };
}

/** Whether curves of this size and group were measured for the family of this topology. */
export function isCovered(topology: Topology, query: DomainQuery): boolean {
  return models[topology.fabric.calibration.family].covers(query);
}
