import { podsCidr, ports } from "../control-plane/addresses.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import { http } from "../machine/http.ts";
import type { ComponentSpec } from "../supervisor/component.ts";

/** kube-proxy: makes service addresses work, above all the API server's, for all nodes at once. */
export async function proxyComponent(context: ClusterContext): Promise<ComponentSpec> {
  const user = "system:kube-proxy";
  return {
    name: "proxy",
    program: context.program("kube-proxy"),
    args: [
      `--kubeconfig=${await context.kubeconfigFor(user, user)}`,
      "--proxy-mode=nftables",
      `--cluster-cidr=${podsCidr}`,
      "--hostname-override=node-1",
      // It may not write these kernel settings and would end over it.
      "--conntrack-max-per-core=0",
      "--conntrack-min=0",
      `--healthz-bind-address=127.0.0.1:${ports.proxyHealth}`,
      `--metrics-bind-address=127.0.0.1:${ports.proxyMetrics}`,
    ],
    healthy: async () => {
      const url = `http://127.0.0.1:${ports.proxyHealth}/healthz`;
      return (await http(url, { timeoutMs: 2000 })).status === 200;
    },
  };
}
