import { ports } from "../control-plane/addresses.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import { http } from "../machine/http.ts";
import type { ComponentSpec } from "../supervisor/component.ts";

interface Webhook {
  readonly kind: "Mutating" | "Validating";
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly operations: readonly string[];
}

const batch = { group: "batch.volcano.sh", version: "v1alpha1" };
const scheduling = { group: "scheduling.volcano.sh", version: "v1beta1" };

// Those for pods are left out: they would see every pod of the cluster.
const webhooks: readonly Webhook[] = [
  { kind: "Mutating", path: "/jobs/mutate", ...batch, resource: "jobs", operations: ["CREATE"] },
  {
    kind: "Validating",
    path: "/jobs/validate",
    ...batch,
    resource: "jobs",
    operations: ["CREATE", "UPDATE"],
  },
  {
    kind: "Mutating",
    path: "/queues/mutate",
    ...scheduling,
    resource: "queues",
    operations: ["CREATE"],
  },
  {
    kind: "Validating",
    path: "/queues/validate",
    ...scheduling,
    resource: "queues",
    operations: ["CREATE", "UPDATE", "DELETE"],
  },
];

/** Volcano's admission: defaults and checks for Jobs and Queues, as a real installation has it. */
export async function volcanoWebhooksComponent(context: ClusterContext): Promise<ComponentSpec> {
  const { authority } = context;
  const [serving, kubeconfig] = await Promise.all([
    authority.issue({
      id: "volcano-webhooks",
      commonName: "volcano-webhooks",
      names: ["IP:127.0.0.1"],
    }),
    context.kubeconfigFor("tessera:volcano-webhooks", "system:masters"),
  ]);
  return {
    name: "volcano-webhooks",
    program: context.program("volcano-webhook-manager"),
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--webhook-url=${webhooksUrl}`,
      `--enabled-admission=${webhooks.map(({ path }) => path).join(",")}`,
      "--listen-address=127.0.0.1",
      `--port=${ports.volcanoWebhooks}`,
      `--ca-cert-file=${authority.caFile}`,
      `--tls-cert-file=${serving.certificateFile}`,
      `--tls-private-key-file=${serving.keyFile}`,
    ],
    // Any answer means that it listens.
    healthy: async () => (await http(webhooksUrl, { timeoutMs: 2000 })).status > 0,
  };
}

const webhooksUrl = `https://127.0.0.1:${ports.volcanoWebhooks}`;

/** Tells the API server about them. The names are those that Volcano looks for at its start. */
export async function registerVolcanoWebhooks(context: ClusterContext): Promise<void> {
  await Promise.all(
    webhooks.map((webhook) => {
      const { kind, path, group, version, resource, operations } = webhook;
      const resources = `${kind.toLowerCase()}webhookconfigurations`;
      return context.api.create(`/apis/admissionregistration.k8s.io/v1/${resources}`, {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: `volcano-admission-service${path.replaceAll("/", "-")}` },
        webhooks: [
          {
            name: `${path.slice(1).replace("/", ".")}.volcano.sh`,
            admissionReviewVersions: ["v1"],
            sideEffects: "NoneOnDryRun",
            failurePolicy: "Fail",
            timeoutSeconds: 10,
            clientConfig: {
              url: `${webhooksUrl}${path}`,
              caBundle: Buffer.from(context.authority.caPem).toString("base64"),
            },
            rules: [
              { apiGroups: [group], apiVersions: [version], resources: [resource], operations },
            ],
          },
        ],
      });
    }),
  );
}
