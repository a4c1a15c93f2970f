import { http } from "../machine/http.ts";
import type { ComponentSpec } from "../supervisor/component.ts";
import { ports } from "./addresses.ts";
import type { ClusterContext } from "./context.ts";

/** The controllers; without them there is no service account and no pod is admitted. */
export async function controllerManagerComponent(context: ClusterContext): Promise<ComponentSpec> {
  const user = "system:kube-controller-manager";
  const { authority, serviceAccountKeys } = context;
  return {
    name: "controller-manager",
    program: context.program("kube-controller-manager"),
    args: [
      `--kubeconfig=${await context.kubeconfigFor(user, user)}`,
      `--root-ca-file=${authority.caFile}`,
      `--service-account-private-key-file=${serviceAccountKeys.privateFile}`,
      `--cluster-signing-cert-file=${authority.caFile}`,
      `--cluster-signing-key-file=${authority.caKeyFile}`,
      "--use-service-account-credentials=true",
      "--leader-elect=false",
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.controllerManager}`,
      "--profiling=false",
    ],
    healthy: async () =>
      (await isHealthy(ports.controllerManager)) && (await hasServiceAccount(context)),
  };
}

/** The scheduler. */
export async function schedulerComponent(context: ClusterContext): Promise<ComponentSpec> {
  const user = "system:kube-scheduler";
  return {
    name: "scheduler",
    program: context.program("kube-scheduler"),
    args: [
      `--kubeconfig=${await context.kubeconfigFor(user, user)}`,
      "--leader-elect=false",
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.scheduler}`,
      "--profiling=false",
    ],
    healthy: () => isHealthy(ports.scheduler),
  };
}

async function isHealthy(port: number): Promise<boolean> {
  const answer = await http(`https://127.0.0.1:${port}/healthz`, { timeoutMs: 2000 });
  return answer.status === 200;
}

async function hasServiceAccount(context: ClusterContext): Promise<boolean> {
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  return (await context.api.get(path)) !== undefined;
}
