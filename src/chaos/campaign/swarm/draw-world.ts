import type { ChanceStream } from "../../chance/index.ts";
import {
  beatsOfHeartbeat,
  graceUsDefault,
  jobPresets,
  paceDefaults,
  timeoutDefaults,
} from "../../experiment/presets/index.ts";
import type { FailurePolicy, Fleet, Timeouts, TrainingWorkload } from "../../plan/index.ts";
import { logUniform, logUniformUs, pick, whole } from "./draws.ts";

/** A job and the machines under it, before anything is broken. */
export interface SwarmWorld {
  readonly workload: TrainingWorkload;
  readonly fleet: Fleet;
  readonly timeouts: Timeouts;
  readonly ranks: number;
}

/** Meshes that the small job fits into; the batch of 24 divides by each dp, and by one less. */
const shapes: readonly TrainingWorkload["shape"][] = [
  { dp: 2, tp: 1, pp: 1 },
  { dp: 3, tp: 1, pp: 1 },
  { dp: 4, tp: 1, pp: 1 },
  { dp: 2, tp: 2, pp: 1 },
  { dp: 2, tp: 1, pp: 2 },
  { dp: 3, tp: 2, pp: 1 },
  { dp: 4, tp: 1, pp: 2 },
  { dp: 2, tp: 2, pp: 2 },
  { dp: 4, tp: 2, pp: 1 },
];

const policies: readonly FailurePolicy[] = [
  "drainThenResume",
  "drainThenResume",
  "spare",
  "shrink",
  "pauseForManual",
];

/** A job of any size and with any settings that the rules of timeouts allow. */
export function drawWorld(stream: ChanceStream): SwarmWorld {
  const shape = pick(stream, shapes);
  const ranks = shape.dp * shape.tp * shape.pp;
  const devicesPerNode = pick(
    stream,
    [1, 2, 4].filter((count) => count <= ranks),
  );
  const nodes = Math.ceil(ranks / devicesPerNode);
  const everySteps = whole(stream, 2, 6);
  const steps = whole(stream, 3 * everySteps, 3 * everySteps + 12);
  const timeouts = drawTimeouts(stream);
  const onFailure = pick(stream, policies);
  return {
    ranks,
    timeouts,
    fleet: { nodes, devicesPerNode, nodesPerRack: pick(stream, [1, 2, 4]), spareNodes: 0 },
    workload: {
      kind: "training",
      job: { ...jobPresets.small, accumulate: "exact" },
      shape,
      steps,
      checkpoint: { everySteps, keep: whole(stream, 2, 4), asynchronous: stream.bernoulli(0.5) },
      policy: {
        onFailure,
        restartsMax: 4,
        resumeAfterUs:
          onFailure === "pauseForManual" ? logUniformUs(stream, 100_000, 10_000_000) : null,
        onPreempt: {
          action: pick(stream, ["checkpointThenExit", "partialFlushThenExit"]),
          graceUs: graceUsDefault,
        },
        compareEverySteps: pick(stream, [0, 0, 1, 2]),
      },
      numerics: "real",
      pace: {
        ...paceDefaults,
        computeUs: logUniformUs(stream, 500, 20_000),
        jitter: stream.float() * 0.05,
        saveUs: logUniformUs(stream, 2000, 50_000),
        loadUs: logUniformUs(stream, 2000, 50_000),
      },
    },
  };
}

/** All by one factor: what is nested stays nested. */
function drawTimeouts(stream: ChanceStream): Timeouts {
  const factor = logUniform(stream, 0.5, 2);
  const scaled = (us: number): number => Math.round((us * factor) / 10_000) * 10_000;
  const heartbeatUs = scaled(timeoutDefaults.heartbeatUs);
  return {
    heartbeatEveryUs: heartbeatUs / beatsOfHeartbeat,
    heartbeatUs,
    collectiveUs: scaled(timeoutDefaults.collectiveUs),
    rendezvousUs: scaled(timeoutDefaults.rendezvousUs),
    saveUs: scaled(timeoutDefaults.saveUs),
    loadUs: scaled(timeoutDefaults.loadUs),
    drainUs: scaled(timeoutDefaults.drainUs),
  };
}
