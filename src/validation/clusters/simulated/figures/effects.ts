import type { Defect } from "../world/defect.ts";

/** What makes a figure worse in one run; losses are logarithms, 0.05 is about 5 %. */
export interface Effect {
  /** Of every sample. */
  readonly loss: number;
  /** Of the samples of one GPU. */
  readonly ofGpu?: { readonly gpu: number; readonly loss: number };
  /** Of a share of the samples. */
  readonly stalls?: { readonly share: number; readonly loss: number };
}

const dayMs = 86_400_000;
/** A decay stops getting worse here: something else would fail by then. */
const decayMax = 0.15;

/** How a defect changes a figure at a time; undefined when it does not show there. */
export function effectOf(
  defect: Defect,
  { check, figure, atMs }: { readonly check: string; readonly figure: string; atMs: number },
): Effect | undefined {
  const { kind, severity, gpu } = defect;
  const from = (low: number, high: number) => low + (high - low) * severity;
  if (check === "dl-unit") {
    if (kind === "uniform-loss") return { loss: from(0.04, 0.1) };
    if (kind === "slow-decay") {
      const days = Math.max(0, atMs - defect.onsetMs) / dayMs;
      return { loss: Math.min(decayMax, from(0.008, 0.02) * days) };
    }
    if (kind === "slow-gpu") {
      const loss = from(0.05, 0.15);
      // A step is over when its slowest GPU is.
      return figure === "step_ms" ? { loss } : { loss: 0, ofGpu: { gpu, loss } };
    }
    if (kind === "stalls" && figure === "step_ms") {
      return { loss: 0, stalls: { share: from(0.1, 0.3), loss: from(0.12, 0.4) } };
    }
  }
  if (check === "nccl-loopback" && kind === "dead-link") {
    // Seven of eight links carry what eight did, and some of it takes a longer way.
    return { loss: figure === "busbw" ? -Math.log(7 / 8) + from(0, 0.05) : from(0.1, 0.25) };
  }
  if (check === "storage-io" && kind === "slow-storage") return { loss: from(0.4, 0.65) };
  return undefined;
}
