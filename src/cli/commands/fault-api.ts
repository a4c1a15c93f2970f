import type { CommandSpec } from "../command-spec.ts";
import { serviceClusterOptions } from "../hw/connection-options.ts";

export const faultApiCommand: CommandSpec = {
  name: "fault-api",
  summary: "serve the API through which hardware faults are made and taken back",
  description:
    "What the Deployment of an installation runs. It keeps faults as HardwareFault objects in the cluster, writes down how everything was before anything is changed, and takes back whatever has ended or whose lease was not renewed. Callers show a token that the API server knows (TokenReview) and need a right for each verb on hardwarefaults.tessera.dev in the namespace under test (SubjectAccessReview): plan, inject, renew, revert, read, audit. Every call is in the audit log. It listens on the loopback address, which `kubectl port-forward` reaches. SIGTERM ends it with exit code 0 and leaves faults in force: they have leases, and agents look after these too.",
  options: [
    { flags: "--host <address>", description: "listen on this address; 127.0.0.1 if not given" },
    { flags: "--port <number>", description: "listen on this port; 8080 if not given, 0 is any" },
    {
      flags: "--namespace <name>",
      description: "where faults are kept; tessera-hardware if not given",
    },
    {
      flags: "--allow-namespace <names...>",
      description: "may be tested, besides namespaces with the opt-in label; with commas",
    },
    { flags: "--deny-node <names...>", description: "nodes that are never touched; with commas" },
    { flags: "--max-nodes <number>", description: "nodes that are broken at the same time; 2" },
    { flags: "--max-percent <number>", description: "of the GPU nodes at the same time; 25" },
    { flags: "--cooldown <time>", description: "between two XIDs on one node; 30s" },
    {
      flags: "--allow-co-tenants",
      description: "GPU pods of other namespaces may be on a node that is broken",
    },
    {
      flags: "--allow-real-reboots",
      description: "a detector may really restart or replace machines, for callers who allow it",
    },
    {
      flags: "--nvsentinel-namespace <name>",
      description: "where NVSentinel is, if it is; nvsentinel if not given",
    },
    {
      flags: "--audience <names...>",
      description: "tokens must be for one of these, with commas; the API server's if not given",
    },
    {
      flags: "--store <url>",
      description: "keep the audit log there: sqlite:PATH or postgres://HOST/DATABASE",
      configKey: "store.url",
    },
    ...serviceClusterOptions,
  ],
  examples: [
    {
      command: "tessera fault-api --allow-namespace inference",
      shows: "the API on this machine, for one namespace of the cluster of the kubeconfig",
    },
    {
      command: "tessera fault-api --port 0 --max-nodes 1 --cooldown 5m --json",
      shows: "a free port and a more careful guard, with one JSON line once it is ready",
    },
  ],
  reports: false,
  load: () => import("../actions/fault-api.ts"),
};
