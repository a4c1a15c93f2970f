import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Identity } from "../control-plane/certificates.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import { http } from "../machine/http.ts";
import type { ComponentSpec } from "../supervisor/component.ts";
import { isReady } from "./conditions.ts";
import { offerGpus } from "./gpus.ts";
import { gpuResource, gpusPerNode, type RealNode } from "./node.ts";

/** The kubelet of a node; started when the node is Ready and offers its GPUs. */
export async function kubeletComponent(
  context: ClusterContext,
  node: RealNode,
): Promise<ComponentSpec> {
  const { authority, config } = context;
  const user = `system:node:${node.name}`;
  const [serving, kubeconfig] = await Promise.all([
    authority.issue({
      id: `kubelet-${node.name}`,
      commonName: user,
      organization: "system:nodes",
      names: [`DNS:${node.name}`, `IP:${config.clusterAddress}`],
    }),
    context.kubeconfigFor(user, "system:nodes"),
  ]);
  const configFile = join(node.folder, "kubelet.json");
  writeFileSync(configFile, JSON.stringify(kubeletConfig(context, node, serving), null, 2));
  const path = `/api/v1/nodes/${node.name}`;
  return {
    name: `kubelet-${node.name}`,
    program: context.program("kubelet"),
    args: [
      `--config=${configFile}`,
      `--kubeconfig=${kubeconfig}`,
      `--root-dir=${node.kubeletRoot}`,
      `--hostname-override=${node.name}`,
      `--node-ip=${config.clusterAddress}`,
      `--node-labels=${nodeLabels()}`,
    ],
    // Kubelets have one socket for device plugins, at a path that cannot be told them: of two that
    // start at the same moment one may find it taken.
    startAttempts: 3,
    healthy: async () => {
      const url = `http://127.0.0.1:${node.kubeletHealthPort}/healthz`;
      const answer = await http(url, { timeoutMs: 2000 });
      return answer.status === 200 && isReady(await context.api.get(path));
    },
    afterStart: () => offerGpus(context.api, node.name),
  };
}

/** As NVIDIA's feature discovery would label the node. */
function nodeLabels(): string {
  return [
    "tessera.test/node=real",
    `${gpuResource}.present=true`,
    `${gpuResource}.count=${gpusPerNode}`,
    `${gpuResource}.product=Simulated`,
  ].join(",");
}

function kubeletConfig(context: ClusterContext, node: RealNode, serving: Identity): unknown {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: context.config.clusterAddress,
    port: node.kubeletPort,
    healthzPort: node.kubeletHealthPort,
    tlsCertFile: serving.certificateFile,
    tlsPrivateKeyFile: serving.keyFile,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: context.authority.caFile },
    },
    authorization: { mode: "Webhook" },
    containerRuntimeEndpoint: `unix://${node.containerdSocket}`,
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${node.cgroup}`,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    localStorageCapacityIsolation: false,
    makeIPTablesUtilChains: false,
    // Pods have no DNS; above all not this machine's.
    resolvConf: "",
    podLogsDir: join(node.folder, "pod-logs"),
    volumePluginDir: join(node.folder, "volume-plugins"),
    maxPods: 64,
    // A test machine's disk is often nearly full; no eviction and no image collection for that.
    evictionHard: {
      "memory.available": "50Mi",
      "nodefs.available": "0%",
      "nodefs.inodesFree": "0%",
      "imagefs.available": "0%",
    },
    imageGCHighThresholdPercent: 100,
  };
}
