import { type CollectiveEstimate, modelCollective } from "../../runtime/dist/time-model/index.ts";
import type { CollectiveRequest } from "./request.ts";

/** One modelled size. */
export interface ModelledPoint {
  readonly bytes: number;
  readonly estimate: CollectiveEstimate;
}

/** Models every size that was asked for. */
export function modelPoints(request: CollectiveRequest): readonly ModelledPoint[] {
  const { op, devices, concurrentGroups, devicesPerDomain, topology, algorithm } = request;
  const query = {
    op,
    devices,
    concurrentGroups,
    topology,
    algorithm,
    ...(devicesPerDomain === undefined ? {} : { devicesPerDomain }),
  };
  return request.sizes.map((bytes) => ({ bytes, estimate: modelCollective({ ...query, bytes }) }));
}

/** The result for programs. */
export function jsonOf(
  { op, devices, topology, concurrentGroups }: CollectiveRequest,
  points: readonly ModelledPoint[],
  digest: string | undefined,
): Record<string, unknown> {
  return {
    op,
    devices,
    topology: topology.name,
    concurrentGroups,
    source: "modelled",
    points: points.map(({ bytes, estimate: { timeUs, algbwGBps, busbwGBps, algorithm } }) => ({
      bytes,
      timeUs,
      algbwGBps,
      busbwGBps,
      algorithm,
    })),
    ...(digest === undefined ? {} : { digest }),
  };
}
