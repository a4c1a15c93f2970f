import {
  actingAs,
  createKubeClient,
  type KubeClient,
  type KubeClientOptions,
  type KubeConfig,
} from "../../../platform/kube/index.ts";
import { type KubernetesRole, kubernetesRoles } from "./rights.ts";

/** The service account (`namespace/name`) whose rights each role is to have; else it has our own. */
export type ActAs = Readonly<{ [Role in KubernetesRole]?: string | undefined }>;

/** Clients of one cluster that differ in what they may do. */
export interface RoleClients {
  /** With our own rights. */
  readonly client: KubeClient;
  readonly clientOf: Readonly<Partial<Record<KubernetesRole, KubeClient>>>;
  /** One more client that may run for leader: with the rights of whoever starts jobs. */
  connect(): KubeClient;
  /** Closes all but those that `connect` made. */
  close(): void;
}

/**
 * Opens a client for each role. A program that is led astray in one of them then has no right of the
 * others: whoever reads nodes cannot close one.
 */
export function connectByRole(
  config: KubeConfig,
  actAs: ActAs | undefined,
  options: Omit<KubeClientOptions, "config">,
): RoleClients {
  const own = () => createKubeClient({ ...options, config });
  const as = (role: KubernetesRole) => {
    const account = actAs?.[role];
    if (account === undefined) return undefined;
    return createKubeClient({ ...options, config: actingAs(config, account) });
  };
  const client = own();
  const clientOf: Partial<Record<KubernetesRole, KubeClient>> = {};
  for (const role of kubernetesRoles) {
    const made = as(role);
    if (made !== undefined) clientOf[role] = made;
  }
  return {
    client,
    clientOf,
    connect: () => as("submitter") ?? own(),
    close: () => {
      for (const one of [client, ...Object.values(clientOf)]) one.close();
    },
  };
}
