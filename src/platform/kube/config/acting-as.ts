import type { KubeConfig } from "./kube-config.ts";

/**
 * The same way in, but with the rights of a service account (`namespace/name`) and no others: the server drops our own
 * and looks at that account's. We need the right to impersonate it.
 */
export function actingAs(config: KubeConfig, account: string): KubeConfig {
  const user = `system:serviceaccount:${account.replace("/", ":")}`;
  // Whom the kubeconfig names is replaced as a whole: its groups would add to the account's rights.
  const others = Object.entries(config.headers).filter(([key]) => !/^impersonate-/i.test(key));
  return { ...config, headers: { ...Object.fromEntries(others), "Impersonate-User": user } };
}
