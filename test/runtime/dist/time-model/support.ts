import fc from "fast-check";
import {
  type CollectiveQuery,
  collectiveOps,
  modelCollective,
} from "../../../../src/runtime/dist/time-model/index.ts";
import { topologyNames, topologyOf } from "../../../../src/runtime/dist/topology/index.ts";

export const kiB = 2 ** 10;
export const miB = 2 ** 20;
export const giB = 2 ** 30;

/** The modelled time of a query that names its topology. */
export function timeOf(
  query: Omit<CollectiveQuery, "topology" | "op"> & {
    readonly op?: CollectiveQuery["op"];
    readonly on: string;
  },
): number {
  const { on, op = "all-reduce", ...rest } = query;
  return modelCollective({ op, topology: topologyOf(on), ...rest }).timeUs;
}

/** Sizes from nothing to a terabyte, evenly in their logarithm. */
export const anyBytes = fc
  .double({ min: 0, max: 40, noNaN: true })
  .map((log) => Math.floor(2 ** log));
export const anyDevices = fc.oneof(
  fc.integer({ min: 2, max: 80 }),
  fc.double({ min: 1, max: 17, noNaN: true }).map((log) => Math.floor(2 ** log)),
);
export const anyOp = fc.constantFrom(...collectiveOps);
export const anyTopology = fc
  .constantFrom(...topologyNames, "hgx-h100+xdr", "gb200-nvl72+xdr")
  .map(topologyOf);
