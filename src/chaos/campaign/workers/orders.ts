import type { ChaosPlan, Defect } from "../../plan/index.ts";
import type { RunSummary } from "../run-summary.ts";

/** What a worker is asked to do; plain, so that it can be sent to a thread. */
export type WorkerOrder =
  /** One run of the campaign. */
  | {
      readonly kind: "swarm";
      readonly seed: string;
      readonly index: number;
      /** Runs it twice and compares. */
      readonly twice: boolean;
    }
  | {
      readonly kind: "canary";
      readonly seed: string;
      readonly defect: Defect;
      readonly attempt: number;
    }
  /** Any plan, for the minimiser. */
  | { readonly kind: "plan"; readonly plan: ChaosPlan };

/** Carries out one order after the other. */
export interface CampaignWorker {
  /** Rejects when the worker is gone, and with what the run threw. */
  carryOut(order: WorkerOrder): Promise<RunSummary>;
  close(): Promise<void>;
}
