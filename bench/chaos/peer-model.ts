import assert from "node:assert/strict";
import { createChance } from "../../src/chaos/chance/index.ts";
import { coordinatorOptionsOf } from "../../src/chaos/elastic/index.ts";
import { bytesOfJob } from "../../src/chaos/numerics/index.ts";
import type { ChaosPlan } from "../../src/chaos/plan/index.ts";
import { createEngine } from "../../src/chaos/sim/engine/index.ts";
import { sumUs } from "../../src/chaos/sim/job/link-times.ts";
import { createMachines } from "../../src/chaos/sim/machines/index.ts";
import { createNetwork, usualNetwork } from "../../src/chaos/sim/network/index.ts";

/** A message between a rank and the coordinator. */
const messageBytes = 256;
/** Of an exchange that carries no gradients. */
const smallBytes = 512;
/** Beside those of steps and heartbeats: hello, joined, restored, finished; the coordinator sends two to each. */
const otherMessages = 8;

/** What `simpy-job.py` has to know of a job to simulate it, in microseconds. */
export interface PeerModel {
  readonly ranks: number;
  readonly steps: number;
  /** Random numbers that there are for each sender. */
  readonly messagesMax: number;
}

/** The figures of a job, and the random numbers that it draws, for a simulator of somebody else. */
export function peerModelOf(plan: ChaosPlan): {
  readonly model: PeerModel & Readonly<Record<string, number>>;
  readonly draws: Buffer;
} {
  const { workload, timeouts, fleet, seed } = plan;
  assert(workload.kind === "training" && workload.checkpoint.everySteps === 0);
  const { steps, pace, shape, job } = workload;
  const ranks = shape.dp;
  const engine = createEngine({ seed });
  const network = createNetwork({ engine, machines: createMachines({ engine, fleet }) });
  const slots = Array.from({ length: ranks }, (_, slot) => slot);
  const sum = (bytes: number) => sumUs(network, slots, { bytes, isDisturbed: false });
  const { control } = usualNetwork;
  // Steps take about as long as their computing; twice that leaves room for the beginning and the end.
  const beats = Math.ceil((2 * steps * pace.computeUs) / timeouts.heartbeatEveryUs);
  const messagesMax = Math.max(steps + beats + otherMessages, 2 * ranks);
  const model = {
    ranks,
    steps,
    messagesMax,
    computeUs: pace.computeUs,
    jitter: pace.jitter,
    startUs: pace.startUs,
    rendezvousUs: pace.rendezvousUs,
    meetUs: sum(smallBytes),
    gradientsUs: sum(bytesOfJob(job).gradients),
    metricsUs: sum(smallBytes),
    messageUs: Math.ceil(messageBytes / control.bytesPerUs) + control.latencyUs,
    messageJitterUs: control.jitterUs,
    heartbeatEveryUs: timeouts.heartbeatEveryUs,
    heartbeatUs: timeouts.heartbeatUs,
    collectiveUs: timeouts.collectiveUs,
    progressUs: coordinatorOptionsOf(plan).progressUs,
  };
  return { model, draws: drawsOf(seed, model) };
}

/** For each rank a number from 0 to 1 for each computation; then for each sender a word for each message. */
function drawsOf(seed: string, { ranks, steps, messagesMax }: PeerModel): Buffer {
  const chance = createChance(seed);
  const computes = new Float64Array(ranks * 2 * steps);
  const jitters = new Uint32Array((ranks + 1) * messagesMax);
  for (let at = 0; at < computes.length; at++) {
    computes[at] = chance.stream("compute", Math.floor(at / (2 * steps))).float();
  }
  for (let at = 0; at < jitters.length; at++) {
    jitters[at] = chance.stream("network.jitter", Math.floor(at / messagesMax)).uint32();
  }
  return Buffer.concat([Buffer.from(computes.buffer), Buffer.from(jitters.buffer)]);
}
