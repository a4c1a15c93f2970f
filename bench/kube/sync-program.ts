// A process of its own that syncs nodes and pods and says what that took:
//   node PROGRAM KUBECONFIG
import {
  createKubeClient,
  createReflector,
  type KubeObject,
  loadKubeConfig,
  type ResourceType,
  resourceTypes,
} from "../../src/platform/kube/index.ts";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";

interface Pod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly allocatable?: Readonly<Record<string, string>> };
}

const timeoutMs = 300_000;
const clock = createRealClock();
const random = createRng("bench").stream("reflector");
const [path] = process.argv.slice(2);
const config = await loadKubeConfig({ path, env: {}, clock });
const client = createKubeClient({ config, clock, random });

const nodes = reflect(resourceTypes.nodes, ({ metadata, spec, status }: Node) => ({
  labels: metadata.labels,
  unschedulable: spec?.unschedulable === true,
  gpus: status?.allocatable?.["nvidia.com/gpu"],
}));
const pods = reflect(resourceTypes.pods, ({ metadata, spec, status }: Pod) => ({
  uid: metadata.uid,
  node: spec?.nodeName,
  phase: status?.phase,
}));
await Promise.all([nodes, pods].map((each) => each.waitForSync({ timeoutMs })));
const synced = { nodes: nodes.objects.size, pods: pods.objects.size };
await Promise.all([nodes.stop(), pods.stop()]);
client.close();
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ ...synced, peakBytes: maxRSS * 1024 }));

function reflect<T, Source extends KubeObject>(type: ResourceType, project: (object: Source) => T) {
  return createReflector<T, Source>({ client, type, project, clock, random }).start();
}
