import type { ClusterNode, NotFreeReason } from "../../cluster.ts";
import type { Defect } from "./defect.ts";

/** A user's job, on all the nodes it holds. */
export interface UserJob {
  readonly name: string;
  readonly nodes: readonly SimNode[];
  isOver: boolean;
}

/** A check that holds a node. */
export interface Holder {
  readonly name: string;
  /** Ends it without a result, for a reason that is not its own. */
  evict(detail: string): void;
}

/** A simulated node: what everyone can see of it, and its defects. */
export class SimNode {
  readonly index: number;
  readonly name: string;
  readonly rack: string;
  readonly sku: string;
  readonly gpus: number;
  userJob: UserJob | undefined;
  check: Holder | undefined;
  /** Who closed it to users, and why. */
  closed: { readonly by: "us" | "operator"; readonly reason: string } | undefined;
  /** Why it does not answer; undefined while it does. */
  down: string | undefined;
  /** Work that begins as soon as nothing runs on it. */
  whenIdle: (() => void) | undefined;
  readonly defects: Defect[] = [];
  readonly labels = new Map<string, string>();
  readonly annotations = new Map<string, string>();
  #view: ClusterNode | undefined;

  constructor(facts: Pick<SimNode, "index" | "name" | "rack" | "sku" | "gpus">) {
    this.index = facts.index;
    this.name = facts.name;
    this.rack = facts.rack;
    this.sku = facts.sku;
    this.gpus = facts.gpus;
  }

  /** Nothing keeps a check from beginning here. */
  get isOpenToChecks(): boolean {
    return this.#isUp && this.userJob === undefined && this.check === undefined;
  }

  /** A user's job may begin here, perhaps in the place of a check. */
  get isOpenToUsers(): boolean {
    return this.down === undefined && this.closed === undefined && this.userJob === undefined;
  }

  get isIdle(): boolean {
    return this.userJob === undefined && this.check === undefined;
  }

  get #isUp(): boolean {
    return this.down === undefined && this.closed?.by !== "operator";
  }

  /** Forgets how it looked. */
  touch(): void {
    this.#view = undefined;
  }

  /** How it looks now; the same object until something about it changes. */
  view(): ClusterNode {
    this.#view ??= {
      name: this.name,
      sku: this.sku,
      rack: this.rack,
      gpus: this.gpus,
      notFree: this.#reasons(),
      awaitsAcceptance: this.closed?.by === "us",
      cordoned: this.closed !== undefined,
    };
    return this.#view;
  }

  #reasons(): readonly NotFreeReason[] {
    const { down, closed, userJob, check, gpus } = this;
    const reasons: NotFreeReason[] = [];
    if (down !== undefined) reasons.push({ code: "not-ready", text: `the node ${down}` });
    if (closed?.by === "operator") {
      reasons.push({ code: "cordoned", text: `an operator closed the node: ${closed.reason}` });
    }
    if (userJob !== undefined) {
      reasons.push({ code: "busy", text: `job ${userJob.name} holds ${gpus} of ${gpus} GPUs` });
    }
    if (check !== undefined) {
      reasons.push({ code: "under-test", text: `check job ${check.name} holds the node` });
    }
    return reasons;
  }
}
