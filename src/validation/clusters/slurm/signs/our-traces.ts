import type { SlurmJobEnd, SlurmNode, SlurmNodeEvent } from "../../../../platform/slurm/index.ts";
import { collectiveOps } from "../../../../runtime/dist/time-model/types.ts";
import { isOurReason } from "../names.ts";
import { put } from "../put.ts";

/** As `chaos/slurm` writes it. */
const chaosReason = /^Tessera chaos experiment /;
/** Of the gate before jobs, and of loops over other entries of the configuration. */
const otherReason = /^tessera\/[^\s:]+:/;

/** Campaigns and measurements; whoever starts them, what ends them is no news of a node. */
const ourNames = /^tessera-(?:campaign-[0-9a-f]{10}-|scale-(?:strong|weak)$)/;
const measurements: ReadonlySet<string> = new Set(collectiveOps.map((op) => `tessera-${op}`));

/** Slurm writes the end of a job and that of its node within a moment of each other. */
const togetherMs = 60_000;

/** Whether a reason tells of what this product did, and so of no trouble that it did not make or find. */
export function isTesserasReason(cluster: string, reason: string): boolean {
  return isOurReason(cluster, reason) || chaosReason.test(reason) || otherReason.test(reason);
}

/** Whether a job is a run, a campaign or a measurement of this product. */
export function isTesserasJob({ name, user }: SlurmJobEnd, ourUser: string): boolean {
  if (user === ourUser && name.startsWith("tsr-")) return true;
  return ourNames.test(name) || measurements.has(name);
}

/** When experiments of ours kept nodes away, by node, as far as it can be told. */
export class ChaosTimes {
  readonly #times = new Map<string, { readonly fromMs: number; readonly toMs: number }[]>();

  constructor(events: readonly SlurmNodeEvent[], nodes: readonly SlurmNode[]) {
    for (const { node, reason, startAtMs, endAtMs = Number.POSITIVE_INFINITY } of events) {
      this.#add(node, reason, { fromMs: startAtMs, toMs: endAtMs });
    }
    for (const { name, reason, reasonAtMs } of nodes) {
      if (reasonAtMs === undefined) continue;
      this.#add(name, reason, { fromMs: reasonAtMs, toMs: Number.POSITIVE_INFINITY });
    }
  }

  /** Whether a job lost its node to an experiment: such a loss says nothing of the node. */
  took({ state, nodes, endedAtMs }: SlurmJobEnd): boolean {
    if (state !== "NODE_FAIL" && state !== "REQUEUED") return false;
    return nodes.some((node) =>
      this.#times
        .get(node)
        ?.some(
          ({ fromMs, toMs }) => endedAtMs >= fromMs - togetherMs && endedAtMs <= toMs + togetherMs,
        ),
    );
  }

  #add(
    node: string,
    reason: string,
    time: { readonly fromMs: number; readonly toMs: number },
  ): void {
    if (!chaosReason.test(reason)) return;
    put(this.#times, node, time);
  }
}
