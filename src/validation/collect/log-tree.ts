import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RunIntent } from "../run.ts";

const segmentCharsMax = 100;

/** What the paths of a run are made from. */
export type RunPlace = Pick<RunIntent, "check" | "node" | "plannedAtMs">;

/** Where a run leaves its traces. */
export interface RunPaths {
  /** `<root>/<check>/<node>` */
  readonly folder: string;
  /** `<Check>_<node>_<unix time>.log`: what the check says while it runs. */
  readonly log: string;
  /** `….output.log`: what the job's program writes to its standard output and error. */
  readonly output: string;
  /** `….result.json`: the result, there only when it is complete. */
  readonly result: string;
  /** `….claim`: which of several jobs of the run may run it, where there can be several. */
  readonly claim: string;
}

/**
 * The places of a run in a log tree: `host-compute/node-7/Host-compute_node-7_1736367000.log` and its
 * neighbours, the time being that of the plan in whole seconds.
 */
export function runPaths(root: string, place: RunPlace): RunPaths {
  const check = pathSegment(place.check);
  const node = pathSegment(place.node);
  const unixSeconds = Math.floor(place.plannedAtMs / 1000);
  const folder = join(root, check, node);
  const capitalised = check.slice(0, 1).toUpperCase() + check.slice(1);
  const stem = join(folder, `${capitalised}_${node}_${unixSeconds}`);
  return {
    folder,
    log: `${stem}.log`,
    output: `${stem}.output.log`,
    result: `${stem}.result.json`,
    claim: `${stem}.claim`,
  };
}

/**
 * A name as one part of a path: never `..`, never hidden, never with a separator. Ordinary names stay
 * as they are; one that had to be changed gets a digest, so that two names never share a folder.
 */
export function pathSegment(name: string): string {
  const isPlain = /^[A-Za-z0-9_][\w.-]*$/.test(name) && name.length <= segmentCharsMax;
  if (isPlain) return name;
  const kept = name.replaceAll(/[^\w.-]/g, "_").replace(/^[.-]+/, "_");
  const digest = createHash("sha256").update(name, "utf8").digest("hex").slice(0, 10);
  return `${kept.slice(0, segmentCharsMax - digest.length - 1) || "_"}-${digest}`;
}
