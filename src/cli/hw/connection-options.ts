import type { OptionSpec } from "../command-spec.ts";

/** How commands find the fault API; `openFaultClient` reads them. */
export const connectionOptions: readonly OptionSpec[] = [
  {
    flags: "--api-url <url>",
    description: "where the fault API listens; a port is forwarded to it when not given",
  },
  {
    flags: "--api-namespace <name>",
    description: "where it is installed, for the forwarded port; tessera-hardware if not given",
  },
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
];

/** Which cluster, for what runs in a pod of it as a rule. */
export const serviceClusterOptions: readonly OptionSpec[] = [
  {
    flags: "--kubeconfig <file>",
    description: "the kubeconfig file; in a pod its service account if not given",
    configKey: "kubernetes.kubeconfig",
    completes: "file",
  },
  {
    flags: "--context <name>",
    description: "the context of the kubeconfig",
    configKey: "kubernetes.context",
  },
];

/** Which workload; one of them. */
export const workloadOptions: readonly OptionSpec[] = [
  { flags: "--deployment <name>", description: "the Deployment whose pods are meant" },
  { flags: "--statefulset <name>", description: "a StatefulSet instead" },
  { flags: "--leaderworkerset <name>", description: "a LeaderWorkerSet instead" },
];

/** What kind of XID, and where. */
export const xidOptions: readonly OptionSpec[] = [
  { flags: "--namespace <name>", description: "the namespace under test" },
  {
    flags: "--node <name>",
    description: "the node; the one with most pods of the workload when not given",
  },
  { flags: "--gpu <which>", description: "its number on the node, or its PCI address; 0" },
  { flags: "--xid <number>", description: "the XID; 79 when not given" },
  { flags: "--sequence <name>", description: "a known sequence of XIDs, such as 79-154" },
  {
    flags: "--allow-real-reboot",
    description: "a detector may really restart or replace the machine",
  },
];
