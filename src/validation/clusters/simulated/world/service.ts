import type { RngStream } from "../../../../platform/rng/index.ts";
import type { SimNode } from "./sim-node.ts";
import type { Stage } from "./stage.ts";

const hourMs = 3_600_000;
/** How long a node is out of order while somebody works on it. */
const workMs = hourMs;
/** A repair comes at most this share earlier or later than usual. */
const repairSpread = 0.2;

/** People who look after nodes: those of the data centre, and whoever repairs what we closed. */
export class Service {
  readonly #stage: Stage;
  readonly #random: RngStream;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#random = stage.rng.stream("service");
  }

  /**
   * An operator closes a node, waits for its job to end, works on it and opens it again. False when
   * the node is closed or away, and nobody comes.
   */
  visit(
    node: SimNode,
    { repairs, reason }: { readonly repairs: boolean; readonly reason: string },
  ): boolean {
    if (node.closed !== undefined || node.down !== undefined) return false;
    node.closed = { by: "operator", reason };
    this.#workWhenIdle(node, { repairs, opens: true });
    node.check?.evict(`Evicted: an operator drains node ${node.name}: ${reason}`);
    this.#stage.settle(node);
    return true;
  }

  /** We close a node; somebody repairs it after a while unless it is opened before. */
  close(node: SimNode, reason: string): boolean {
    if (node.closed !== undefined) return node.closed.by === "us";
    node.closed = { by: "us", reason };
    this.#stage.settle(node);
    this.#awaitRepair(node);
    return true;
  }

  /** True when the node is open now; false when an operator closed it. */
  open(node: SimNode): boolean {
    if (node.closed?.by === "operator") return false;
    if (node.closed === undefined) return true;
    node.closed = undefined;
    this.#stage.settle(node);
    return true;
  }

  #awaitRepair(node: SimNode): void {
    const closed = node.closed;
    const spread = 1 + repairSpread * (2 * this.#random.float() - 1);
    const waitMs = Math.max(0, this.#stage.plan.repairHours * spread * hourMs - workMs);
    this.#stage.after(waitMs, () => {
      if (node.closed !== closed) return;
      this.#workWhenIdle(node, { repairs: true, opens: false });
      this.#stage.settle(node);
    });
  }

  #workWhenIdle(
    node: SimNode,
    { repairs, opens }: { readonly repairs: boolean; readonly opens: boolean },
  ): void {
    const closed = node.closed;
    node.whenIdle = () => {
      // It was opened while the work waited: nobody comes any more.
      if (node.closed !== closed) return this.#stage.settle(node);
      node.down = "is out of order: somebody works on it";
      this.#stage.settle(node);
      this.#stage.after(workMs, () => {
        this.#finish(node, repairs);
        // Somebody may have opened it meanwhile, and closed it again for another reason.
        if (node.closed === closed) {
          if (opens) node.closed = undefined;
          else this.#awaitNextRepair(node);
        }
        this.#stage.settle(node);
      });
    };
  }

  #finish(node: SimNode, repairs: boolean): void {
    const { nowMs } = this.#stage;
    node.down = undefined;
    if (repairs) {
      for (const defect of node.defects) defect.endMs = nowMs;
      node.defects.length = 0;
    }
    this.#stage.sign({ kind: "repair", atMs: nowMs, node: node.name });
  }

  /** Whoever sees that it still fails comes again. */
  #awaitNextRepair(node: SimNode): void {
    const closed = node.closed;
    this.#stage.after(this.#stage.plan.repairHours * hourMs, () => {
      if (node.closed !== closed) return;
      if (node.defects.length > 0) this.#awaitRepair(node);
      else this.#awaitNextRepair(node);
    });
  }
}
