import { type CollectiveOp, modelCollective } from "../../dist/time-model/index.ts";
import { bytesOf, groupsOf, type StepGroup, type StepQuery } from "../step/index.ts";
import { halfBandwidthBytes } from "./half-bandwidth.ts";

/** One kind of group of a division, and what its largest collective is bound by. */
export interface GroupFigure {
  readonly axis: "tensor" | "data" | "pipeline";
  readonly op: CollectiveOp;
  readonly devices: number;
  readonly devicesPerDomain: number;
  readonly bytes: number;
  readonly timeS: number;
  readonly bound: "latency" | "bandwidth";
  /** Below this size half of the bandwidth is out of reach. */
  readonly halfBandwidthBytes: number;
}

/** What each kind of group sends at once, and what that is bound by. */
export function groupFigures(query: StepQuery): readonly GroupFigure[] {
  const { split, topology, workload } = query;
  const groups = groupsOf(split, topology);
  const bytes = bytesOf(query);
  const reduces = workload.zero > 0 ? "reduce-scatter" : "all-reduce";
  return [
    ...(split.tensor > 1
      ? [
          figure(query, {
            axis: "tensor",
            op: "reduce-scatter",
            group: groups.tensor,
            bytes: bytes.tensor,
          }),
        ]
      : []),
    ...(split.data > 1
      ? [figure(query, { axis: "data", op: reduces, group: groups.data, bytes: bytes.gradients })]
      : []),
    ...(split.pipeline > 1
      ? [
          figure(query, {
            axis: "pipeline",
            op: "send-recv",
            group: groups.neighbours,
            bytes: bytes.pipeline,
          }),
        ]
      : []),
  ];
}

function figure(
  { topology }: StepQuery,
  of: {
    readonly axis: GroupFigure["axis"];
    readonly op: CollectiveOp;
    readonly group: StepGroup;
    readonly bytes: number;
  },
): GroupFigure {
  const { axis, op, group, bytes } = of;
  const query = { op, topology, ...group };
  const { timeUs, bound } = modelCollective({ ...query, bytes });
  return {
    axis,
    op,
    devices: group.devices,
    devicesPerDomain: group.devicesPerDomain,
    bytes,
    timeS: timeUs / 1e6,
    bound,
    halfBandwidthBytes: halfBandwidthBytes(query),
  };
}
