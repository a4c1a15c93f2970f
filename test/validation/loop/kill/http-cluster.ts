import { createRealClock } from "../../../../src/platform/time/index.ts";
import type { Cluster, ClusterView, JobView } from "../../../../src/validation/clusters/cluster.ts";
import { clusterName } from "./settings.ts";

interface WorldView {
  readonly plans: boolean;
  readonly jobs: readonly JobView[];
  readonly nodes: readonly { readonly name: string; readonly held: boolean }[];
}

const lookEveryMs = 15;

/** The world of another process, seen over HTTP. */
export function createHttpCluster(url: string): Cluster & { plans(): boolean } {
  const clock = createRealClock();
  const listeners = new Set<() => void>();
  let plans = false;
  let view: ClusterView = {
    atMs: clock.nowMs(),
    trust: { state: "starting", reason: "nothing has been read yet" },
    nodes: [],
    jobs: [],
  };
  const look = async () => {
    try {
      view = viewOf((await (await fetch(`${url}/view`)).json()) as WorldView);
    } catch (error) {
      view = { ...view, trust: { state: "stale", reason: String(error) } };
    }
    for (const listener of listeners) listener();
    clock.setTimer(lookEveryMs, () => void look());
  };
  const viewOf = (world: WorldView): ClusterView => {
    plans = world.plans;
    return {
      atMs: clock.nowMs(),
      trust: { state: "current" },
      jobs: world.jobs,
      nodes: world.nodes.map(({ name, held }) => ({
        name,
        sku: "h100-sxm5-80gb",
        rack: "",
        gpus: 8,
        notFree: held ? [{ code: "under-test", text: "a check of ours runs there" }] : [],
        awaitsAcceptance: false,
        cordoned: false,
      })),
    };
  };
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.text();
  };
  return {
    name: clusterName,
    kind: "simulated",
    provenance: "simulated",
    clock,
    checks: { available: ["probe"], unavailable: {} },
    plans: () => plans,
    start: () => void look(),
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeSigns: () => [],
    submit: (request) => send("POST", "jobs", request),
    cancel: (jobName) => send("DELETE", `jobs/${encodeURIComponent(jobName)}`),
    controls: undefined,
    stop: async () => {},
  };
}
