import type { Clock } from "../../../../src/platform/time/clock.ts";
import type {
  Cluster,
  ClusterView,
  JobRequest,
} from "../../../../src/validation/clusters/cluster.ts";
import type { World } from "./world.ts";

/**
 * What goes wrong with a call: `before` it has an effect, `after` it had one; `late` it is given up
 * and has its effect some time after that.
 */
export type CallFault = "none" | "before" | "after" | "late";

export interface WorldClusterOptions {
  readonly world: World;
  readonly clock: Clock;
  /** How long the view is behind the world. */
  readonly lagMs: number;
  /** What goes wrong with the next call. */
  readonly nextFault: () => CallFault;
  /** How long a request that was given up is under way. */
  readonly lateMs: number;
  /** While this is so, changes are missed. */
  readonly isCut: () => boolean;
}

/** One process's view of a world, like the real clusters: what it sees may be old, and says so. */
export function createWorldCluster(options: WorldClusterOptions): Cluster {
  const { world, clock, lagMs, nextFault, lateMs, isCut } = options;
  const listeners = new Set<() => void>();
  let view: ClusterView = {
    atMs: clock.nowMs(),
    trust: { state: "starting", reason: "nothing has been read yet" },
    nodes: [],
    jobs: [],
  };
  const refresh = () => {
    const snapshot = { atMs: clock.nowMs(), nodes: world.nodeViews(), jobs: world.jobViews() };
    clock.setTimer(lagMs, () => {
      if (isCut()) {
        view = { ...view, trust: { state: "stale", reason: "the connection is cut" } };
        clock.setTimer(1_000, refresh);
      } else view = { ...snapshot, trust: { state: "current" } };
      for (const listener of listeners) listener();
    });
  };
  const call = async (effect: () => void) => {
    const fault = isCut() ? "before" : nextFault();
    if (fault === "before") throw new Error("connection refused");
    if (fault === "late") {
      clock.setTimer(lateMs, effect);
      throw new Error("no answer in time");
    }
    effect();
    if (fault === "after") throw new Error("connection reset");
  };
  let unsubscribe = () => {};
  return {
    name: "world",
    kind: "simulated",
    provenance: "simulated",
    clock,
    checks: { available: ["probe"], unavailable: {} },
    start: () => {
      unsubscribe = world.onChange(refresh);
      refresh();
    },
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeSigns: () => [],
    submit: (request: JobRequest) => call(() => world.create(request)),
    cancel: (jobName) => call(() => world.remove(jobName)),
    controls: undefined,
    stop: async () => unsubscribe(),
  };
}
