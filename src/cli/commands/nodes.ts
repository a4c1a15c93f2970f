import type { CommandSpec } from "../command-spec.ts";

export const nodesCommand: CommandSpec = {
  name: "nodes",
  summary: "list the nodes of the Kubernetes cluster and their GPUs",
  description:
    "Lists the nodes of the configured cluster: whether each is ready, takes pods, and how many GPUs it offers. Changes nothing. `tessera doctor` says what else works there.",
  options: [
    {
      flags: "--kubeconfig <file>",
      description: "the kubeconfig file",
      configKey: "kubernetes.kubeconfig",
      completes: "file",
    },
    {
      flags: "--context <name>",
      description: "the context of the kubeconfig",
      configKey: "kubernetes.context",
    },
  ],
  examples: [
    { command: "tessera nodes", shows: "the nodes of the current context" },
    { command: "tessera nodes --context gpu-prod --json", shows: "those of another, for programs" },
  ],
  reports: false,
  load: () => import("../actions/nodes.ts"),
};
