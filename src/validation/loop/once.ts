import type { ClusterNode, ClusterView } from "../clusters/cluster.ts";
import type { PassScope, Plan } from "../plan/planner.ts";

/**
 * What belongs to a single pass: nodes that were free when it began, each check on them once.
 * Without it a pass would never end on a fleet whose nodes come and go.
 */
export class OncePass implements PassScope {
  #nodes: ReadonlySet<string> | undefined;
  readonly #begun = new Set<string>();
  #heldSinceMs: number | undefined;

  /** Called with every view; the first one counts. */
  see(view: ClusterView): void {
    const free = view.nodes.filter((node) => node.notFree.length === 0 || isHeldByUs(node));
    this.#nodes ??= new Set(free.map(({ name }) => name));
  }

  includes(node: string): boolean {
    return this.#nodes?.has(node) === true;
  }

  hasBegun(node: string, check: string): boolean {
    return this.#begun.has(keyOf(node, check));
  }

  /**
   * Whether something that is due waits only for a job of ours to leave its node, as one that has
   * handed in does in a moment. On a node that is dead it never does, so there is a limit.
   */
  isHeld(
    { postponed }: Pick<Plan, "postponed">,
    at: {
      readonly view: Pick<ClusterView, "nodes">;
      readonly monotonicMs: number;
      readonly limitMs: number;
    },
  ): boolean {
    const held = at.view.nodes.filter(isHeldByUs).map(({ name }) => name);
    const names = new Set(held.filter((name) => this.#nodes?.has(name)));
    const isHeld = postponed.some(({ node, rail }) => rail === "not-free" && names.has(node));
    this.#heldSinceMs = isHeld ? (this.#heldSinceMs ?? at.monotonicMs) : undefined;
    return this.#heldSinceMs !== undefined && at.monotonicMs - this.#heldSinceMs < at.limitMs;
  }

  begun({ node, check }: { readonly node: string; readonly check: string }): void {
    this.#begun.add(keyOf(node, check));
  }
}

const roomCodes: readonly string[] = ["cpu", "memory", "rdma"];

/** Under test, and not free for nothing else but the room that takes. */
function isHeldByUs({ notFree }: ClusterNode): boolean {
  const others = notFree.filter(({ code }) => code !== "under-test");
  return others.length < notFree.length && others.every(({ code }) => roomCodes.includes(code));
}

function keyOf(node: string, check: string): string {
  return JSON.stringify([node, check]);
}
