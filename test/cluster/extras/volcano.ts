import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ports } from "../control-plane/addresses.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import { http } from "../machine/http.ts";
import type { ComponentSpec } from "../supervisor/component.ts";

const queuePath = "/apis/scheduling.volcano.sh/v1beta1/queues";
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Creates Volcano's resource definitions as its own module has them. */
export async function createVolcanoCrds(context: ClusterContext): Promise<void> {
  const folder = context.config.volcanoCrds;
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  await Promise.all(
    files.map((file) => context.api.createYaml(crdPath, readFileSync(join(folder, file), "utf8"))),
  );
}

/** True once the definitions are served; the controllers wait for them for ever otherwise. */
export async function volcanoServed(context: ClusterContext): Promise<boolean> {
  const paths = [queuePath, "/apis/batch.volcano.sh/v1alpha1/jobs", flowPath];
  const lists = await Promise.all(paths.map((path) => context.api.get(path)));
  return lists.every((list) => list !== undefined);
}

const flowPath = "/apis/flow.volcano.sh/v1alpha1/jobflows";

/** Creates the queue that jobs go to when they name none. */
export async function createDefaultQueue(context: ClusterContext): Promise<void> {
  await context.api.create(queuePath, {
    apiVersion: "scheduling.volcano.sh/v1beta1",
    kind: "Queue",
    metadata: { name: "default" },
    spec: { weight: 1, reclaimable: true },
  });
}

/** True when the controllers have opened the queue. */
export async function defaultQueueOpen(context: ClusterContext): Promise<boolean> {
  const queue = await context.api.get(`${queuePath}/default`);
  return (queue?.status as { state?: string } | undefined)?.state === "Open";
}

/** Volcano's scheduler. */
export async function volcanoSchedulerComponent(context: ClusterContext): Promise<ComponentSpec> {
  return {
    name: "volcano-scheduler",
    program: context.program("volcano-scheduler"),
    args: [
      `--kubeconfig=${await context.kubeconfigFor("tessera:volcano-scheduler", "system:masters")}`,
      "--leader-elect=false",
      "--cache-dumper=false",
      ...healthArguments(ports.volcanoScheduler),
    ],
    healthy: () => isHealthy(ports.volcanoScheduler),
  };
}

/** Volcano's controllers. */
export async function volcanoControllersComponent(context: ClusterContext): Promise<ComponentSpec> {
  return {
    name: "volcano-controllers",
    program: context.program("volcano-controller-manager"),
    args: [
      `--kubeconfig=${await context.kubeconfigFor("tessera:volcano-controllers", "system:masters")}`,
      "--leader-elect=false",
      ...healthArguments(ports.volcanoControllers),
    ],
    healthy: () => isHealthy(ports.volcanoControllers),
  };
}

function healthArguments(port: number): string[] {
  return ["--enable-healthz=true", `--healthz-address=127.0.0.1:${port}`];
}

async function isHealthy(port: number): Promise<boolean> {
  const answer = await http(`http://127.0.0.1:${port}/healthz`, { timeoutMs: 2000 });
  return answer.status === 200;
}
