import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { processOf } from "./processes.ts";

/** The part of a pod these tests look at. */
export interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly nodeName?: string;
    readonly schedulerName?: string;
    readonly automountServiceAccountToken?: boolean;
    readonly securityContext?: object;
    readonly volumes?: readonly object[];
    readonly containers: readonly {
      readonly securityContext?: object;
      readonly env?: readonly { readonly name: string; readonly value?: string }[];
    }[];
  };
  readonly status: { readonly phase?: string };
}

/** The pod of a run. */
export async function podOf(cluster: Cluster, runId: string): Promise<Pod> {
  const [pod] = await podsOf(cluster, `tessera.dev/run-id=${runId}`);
  if (pod === undefined) throw new Error(`run ${runId} has no pod`);
  return pod;
}

/** Waits until no pod of ours runs any more: a pod that has handed in takes a moment to end. */
export async function untilPodsEnded(cluster: Cluster): Promise<void> {
  const haveEnded = async () => {
    const pods = await podsOf(cluster, "tessera.dev/run-id");
    return pods.every(({ status: { phase = "" } }) => ["Succeeded", "Failed"].includes(phase));
  };
  await waitUntil("all pods have ended", haveEnded, { timeoutMs: 180_000 });
}

async function podsOf(cluster: Cluster, selector: string): Promise<readonly Pod[]> {
  const text = await cluster.kubectl(["get", "pods", "-l", selector, "-o", "json"]);
  return (JSON.parse(text) as { items: readonly Pod[] }).items;
}

/** Ends the process of a run inside its container, from outside and without warning. */
export function killProcessOf(runId: string): void {
  process.kill(processOf(runId).pid, "SIGKILL");
}

/**
 * A port on an address of this machine that nobody listens on and that no connection is given: a loop
 * that is stopped or killed must get it back. Linux gives connections ports from 32768 on.
 */
export async function freePortOn(address: string): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, address);
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
