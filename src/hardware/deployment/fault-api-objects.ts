import type { KubeObject } from "../../platform/kube/index.ts";
import { healthProbe, lockedDown, program, resourcesOf, seccomp, temporary } from "./containers.ts";
import { labelsOf, type ManifestSettings, partNames } from "./manifest-options.ts";

const port = 8080;
/** As in the image: nobody's. */
const userId = 65_532;
const folder = "/var/lib/tessera";

/**
 * The fault API. One pod, and never two: the old one ends before the new one starts. It listens on
 * the loopback address of its pod, which `kubectl port-forward` reaches and nothing else does.
 */
export function faultApiObjects(settings: ManifestSettings): readonly KubeObject[] {
  const { namespace } = settings;
  const name = partNames.api;
  const labels = labelsOf(name);
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(settings) },
    },
  };
  return [deployment];
}

function podSpec(settings: ManifestSettings) {
  const store = {
    volume: { name: "store", emptyDir: { sizeLimit: "1Gi" } },
    mount: { name: "store", mountPath: folder },
  };
  return {
    serviceAccountName: partNames.api,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: userId,
      runAsGroup: userId,
      fsGroup: userId,
      ...seccomp,
    },
    containers: [
      {
        name: "fault-api",
        image: settings.image,
        command: [...program],
        args: argumentsOf(settings),
        securityContext: lockedDown,
        resources: resourcesOf({
          cpu: "100m",
          memory: "192Mi",
          cpuMax: "1",
          memoryMax: "512Mi",
        }),
        readinessProbe: healthProbe(port, 10),
        livenessProbe: { ...healthProbe(port, 30), initialDelaySeconds: 30 },
        volumeMounts: [store.mount, temporary.mount],
      },
    ],
    volumes: [store.volume, temporary.volume],
  };
}

function argumentsOf({ namespace, namespacesUnderTest, faultApiArgs }: ManifestSettings) {
  return [
    "fault-api",
    "--host=127.0.0.1",
    `--port=${port}`,
    `--namespace=${namespace}`,
    ...namespacesUnderTest.map((one) => `--allow-namespace=${one}`),
    `--store=sqlite:${folder}/fault-api.db`,
    ...faultApiArgs,
  ];
}
