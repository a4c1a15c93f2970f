import { join } from "node:path";
import type { Clock } from "../../time/clock.ts";
import { tokenFileCredentials } from "../credentials/file-credentials.ts";
import { codeOf, readSmallFile } from "./data-or-file.ts";
import { invalidKubeConfig } from "./invalid.ts";
import type { KubeConfig } from "./kube-config.ts";
import { assertTlsMaterial, environmentProxy } from "./resolve-cluster.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Kubernetes mounts a pod's service account. */
export const serviceAccountDirDefault = "/var/run/secrets/kubernetes.io/serviceaccount";

/** True in a pod: Kubernetes says where its API is. */
export function isInCluster(env: Environment): boolean {
  return Boolean(env["KUBERNETES_SERVICE_HOST"] && env["KUBERNETES_SERVICE_PORT"]);
}

/** The connection of a pod to its own cluster, by the service account mounted into it. */
export async function inClusterConfig(options: {
  readonly env: Environment;
  readonly clock: Clock;
  readonly namespace?: string | undefined;
  /** @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly serviceAccountDir?: string | undefined;
}): Promise<KubeConfig> {
  const { env, clock } = options;
  const folder = options.serviceAccountDir ?? serviceAccountDirDefault;
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const address = `https://${host.includes(":") ? `[${host}]` : host}:${env["KUBERNETES_SERVICE_PORT"]}`;
  if (!URL.canParse(address)) {
    throw invalidKubeConfig(
      { file: "environment", field: "KUBERNETES_SERVICE_HOST" },
      "not an address",
    );
  }
  const server = new URL(address);
  const caPem = await mounted(folder, "ca.crt");
  assertTlsMaterial({ ca: caPem }, { file: folder, field: "ca.crt" });
  await mounted(folder, "token");
  const proxy = environmentProxy(server, env);
  return {
    source: "service account",
    context: "in-cluster",
    server,
    namespace:
      options.namespace ?? (await mounted(folder, "namespace").catch(() => "default")).trim(),
    tls: { caPem, insecure: false },
    compression: true,
    credentials: tokenFileCredentials({
      path: join(folder, "token"),
      clock,
      kind: "service account",
    }),
    headers: {},
    ...(proxy === undefined ? {} : { proxy }),
  };
}

async function mounted(folder: string, name: string): Promise<string> {
  try {
    return await readSmallFile(join(folder, name));
  } catch (error) {
    throw invalidKubeConfig({ file: folder, field: name }, `cannot be read (${codeOf(error)})`);
  }
}
