import type { KubeObject } from "../../platform/kube/index.ts";
import { kmsgContainerPath, kmsgResource } from "../device-plugin/index.ts";
import { shimPaths } from "../objects/index.ts";
import {
  healthProbe,
  hostPath,
  lockedDown,
  program,
  resourcesOf,
  seccomp,
  temporary,
} from "./containers.ts";
import { labelsOf, type ManifestSettings, partNames } from "./manifest-options.ts";

const healthPort = 8081;
const devicePlugins = "/var/lib/kubelet/device-plugins";

/**
 * The agent, and the plugin that gives it the kernel log. Both run as root without any right of
 * root: /dev/kmsg and the kubelet's folder belong to root, and capabilities stand in for neither
 * file's owner. SYSLOG lets the agent read the kernel's log where that is restricted.
 */
export function agentObjects(settings: ManifestSettings): readonly KubeObject[] {
  return [
    daemonSet(partNames.kmsg, settings, kmsgPod(settings)),
    daemonSet(partNames.agent, settings, agentPod(settings)),
  ];
}

function daemonSet(name: string, settings: ManifestSettings, pod: object): KubeObject {
  const labels = labelsOf(name);
  const { namespace, nodeSelector } = settings;
  const spec = {
    selector: { matchLabels: labels },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
    template: {
      metadata: { labels },
      // A node that is closed or in trouble is where an agent is needed most.
      spec: { nodeSelector, tolerations: [{ operator: "Exists" }], ...pod },
    },
  };
  const metadata = { name, namespace, labels };
  return { apiVersion: "apps/v1", kind: "DaemonSet", metadata, spec } as KubeObject;
}

function agentPod({ image, namespace, detector }: ManifestSettings) {
  const control = hostPath("control", shimPaths.hostFolder, "DirectoryOrCreate");
  return {
    serviceAccountName: partNames.agent,
    securityContext: { runAsUser: 0, runAsGroup: 0, ...seccomp },
    containers: [
      {
        name: "agent",
        image,
        command: [...program],
        args: [
          "agent",
          "--node=$(NODE_NAME)",
          `--namespace=${namespace}`,
          `--control-folder=${shimPaths.hostFolder}`,
          `--kernel-log=${kmsgContainerPath}`,
          "--allow-kernel-log-device",
          `--detector=${detector}`,
          `--health-port=${healthPort}`,
        ],
        env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
        securityContext: { ...lockedDown, capabilities: { drop: ["ALL"], add: ["SYSLOG"] } },
        resources: resourcesOf({
          cpu: "50m",
          memory: "128Mi",
          cpuMax: "500m",
          memoryMax: "256Mi",
          devices: { [kmsgResource]: "1" },
        }),
        // No liveness: an agent that cannot reach the API server is not helped by a restart.
        readinessProbe: healthProbe(healthPort, 30),
        volumeMounts: [control.mount, temporary.mount],
      },
    ],
    volumes: [control.volume, temporary.volume],
  };
}

function kmsgPod({ image }: ManifestSettings) {
  const plugins = hostPath("device-plugins", devicePlugins, "Directory");
  // Only looked at: without the device cgroup's leave it cannot be opened.
  const device = hostPath("kmsg", kmsgContainerPath, "CharDevice");
  return {
    automountServiceAccountToken: false,
    securityContext: { runAsUser: 0, runAsGroup: 0, ...seccomp },
    containers: [
      {
        name: "kmsg-device",
        image,
        command: [...program],
        args: ["agent", "kmsg-device", `--folder=${devicePlugins}`, `--path=${kmsgContainerPath}`],
        securityContext: lockedDown,
        resources: resourcesOf({
          cpu: "10m",
          memory: "64Mi",
          cpuMax: "100m",
          memoryMax: "128Mi",
        }),
        volumeMounts: [plugins.mount, { ...device.mount, readOnly: true }, temporary.mount],
      },
    ],
    volumes: [plugins.volume, device.volume, temporary.volume],
  };
}
