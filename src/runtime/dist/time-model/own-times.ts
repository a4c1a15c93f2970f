import { weigh } from "./forms/form.ts";
import { ownForm } from "./forms/own.ts";
import type { Group, Timed } from "./timed.ts";
import type { CollectiveOp } from "./types.ts";

const directly: ReadonlySet<CollectiveOp> = new Set(["send-recv", "permute", "gather", "scatter"]);

/** The time by what this very machine was measured to do; undefined where it was not. */
export function ownTime({ op, devices, bytes, topology }: Group): Timed | undefined {
  const fit = topology.measured?.[op];
  if (fit === undefined) return undefined;
  const timeOf = weigh(ownForm(op), fit.weights);
  const algorithm = op === "all-to-all" ? "pairwise" : directly.has(op) ? "direct" : "ring";
  return {
    algorithm,
    timeUs: timeOf({ devices, bytes }),
    latencyUs: timeOf({ devices, bytes: 0 }),
  };
}

/** Whether this machine was measured with groups and sizes that include this one. */
export function isOwnTime({ op, devices, bytes, topology }: Group): boolean {
  const fit = topology.measured?.[op];
  return (
    fit !== undefined &&
    devices >= fit.devices.min &&
    devices <= fit.devices.max &&
    bytes >= fit.bytes.min &&
    bytes <= fit.bytes.max
  );
}
