import type { KubeClient } from "../../platform/kube/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { RngStream } from "../../platform/rng/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { FaultBook } from "../faults/index.ts";
import type { GuardFinding, GuardRequest } from "../guard/index.ts";
import type { EndReason, HardwareFault, HardwareFaultSpec, NodeUndo } from "../objects/index.ts";

/** The faults in the cluster, as the API uses them. */
export type FaultBookPort = Pick<
  FaultBook,
  | "create"
  | "arm"
  | "amend"
  | "injected"
  | "failed"
  | "sighted"
  | "renew"
  | "end"
  | "get"
  | "list"
  | "watch"
>;

/** Takes faults back. */
export interface ReaperPort {
  /** Settles once it is over: `reverted`, or `revert-failed` for now. */
  revert(name: string, reason: EndReason): Promise<HardwareFault>;
}

/** What would happen, and whether it may. */
export interface Judgement {
  readonly findings: readonly GuardFinding[];
  /** For programs. */
  readonly plan: object;
  /** For people. */
  readonly text: string;
}

/** Looks at the cluster and says whether a fault may be, and what it will do. */
export interface JudgePort {
  judge(spec: GuardRequest): Promise<Judgement>;
}

/** What the routes and the service behind them stand on. */
export interface FaultApiPorts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: RngStream;
  readonly log: Logger;
  /** Of the installation: where the faults are kept. */
  readonly namespace: string;
  /** Namespaces that may be tested; the guard has the last word. */
  readonly allowNamespaces: readonly string[];
  readonly book: FaultBookPort;
  readonly reaper: ReaperPort;
  readonly judge: JudgePort;
  readonly snapshotNode: (node: string) => Promise<NodeUndo>;
  readonly newFaultName: (kind: HardwareFaultSpec["action"]["kind"]) => string;
}
