import type { RngStream } from "../../../../platform/rng/index.ts";
import { logNormal } from "../../../fleet-log/chance.ts";
import type { PodTrouble } from "../options.ts";

/** What will become of a check's pod if nobody interferes; drawn when it is submitted. */
export interface PodFate {
  /** From the place on a node to the start of the check. */
  readonly startDelayMs: number;
  /** How long the check takes; Infinity for one that hangs. */
  readonly durationMs: number;
  /** It never gets its image. */
  readonly isStuck: boolean;
  /** How long after its start it is killed; undefined when it is not. */
  readonly diesAfterMs: number | undefined;
  readonly posts: boolean;
  readonly writesFile: boolean;
}

const minuteMs = 60_000;
const startDelayMedianMs = 20_000;
const durationSigma = 0.08;

/** Draws the fate of a pod. Always as many draws, so that one chance does not change another. */
export function drawFate(random: RngStream, minutes: number, trouble: PodTrouble): PodFate {
  const startDelayMs = logNormal(random, startDelayMedianMs, 0.6);
  const usualMs = logNormal(random, minutes * minuteMs, durationSigma);
  const [stuck, hangs, dies, deathAt, postFails, fileFails] = Array.from({ length: 6 }, () =>
    random.float(),
  ) as [number, number, number, number, number, number];
  return {
    startDelayMs,
    durationMs: hangs < trouble.hangs ? Number.POSITIVE_INFINITY : usualMs,
    isStuck: stuck < trouble.stuck,
    diesAfterMs: dies < trouble.dies ? deathAt * usualMs : undefined,
    posts: postFails >= trouble.postFails,
    writesFile: fileFails >= trouble.fileFails,
  };
}
