import type { RunRecord } from "../../../src/validation/run.ts";
import { hourMs, run, startMs } from "../judge/records.ts";

export const software = "cuda, NVIDIA H200, driver 580.1";

/** What a run says of its answers: by default one case with one output on two GPUs. */
export function answers(
  digest: string,
  change: { readonly softwareKey?: string; readonly other?: string } = {},
) {
  const { softwareKey = software, other = digest } = change;
  return { softwareKey, digests: { "gemm 64 exact": { "gpu 0": digest, "gpu 1": other } } };
}

/** Nodes with one run each, an hour apart; node i has the i-th of these digests. */
export function fleetWith(digests: readonly string[], atMs = startMs): readonly RunRecord[] {
  return digests.map((digest, at) =>
    run({
      node: `n${at}`,
      check: "dl-unit",
      atMs: atMs + at * hourMs,
      result: { facts: answers(digest) },
      verdict: {},
    }),
  );
}
