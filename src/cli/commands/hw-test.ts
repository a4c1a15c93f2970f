import type { CommandSpec } from "../command-spec.ts";
import { connectionOptions, workloadOptions } from "../hw/connection-options.ts";

export const hwTestCommand: CommandSpec = {
  name: "hw test",
  summary: "lose a GPU under a running workload, and prove that the service recovers",
  description:
    "Runs the whole scenario on a live workload: measures the service, puts the shim into its pods (which replaces them), lets CUDA calls fail on one node, writes the XID into that node's kernel log, waits for the detector to cordon the node and for the pods to serve elsewhere, measures the service again, and takes everything back. Ctrl-C takes everything back too; a killed process leaves it to the lease. Needs the fault API and the agents in the cluster. Exit code 0 means that it recovered, 1 that it did not or that the guard refused, 3 that nothing was proven. docs/hardware.md says more.",
  options: [
    { flags: "--namespace <name>", description: "the namespace under test" },
    ...workloadOptions,
    { flags: "--xid <number>", description: "the XID; 79 when not given" },
    { flags: "--sequence <name>", description: "a known sequence of XIDs, such as 79-154" },
    {
      flags: "--enable-hw-faults",
      description: "yes, break it; without this only --dry-run does anything",
    },
    {
      flags: "--dry-run",
      description: "only print what would happen, and what each detector should do",
    },
    {
      flags: "--request <what>",
      description:
        "how to ask the service: pod:8080/health, service:web:80/health (both through the API server), or a URL",
    },
    { flags: "--baseline <time>", description: "how long to ask before the fault; 15s" },
    { flags: "--after <time>", description: "how long to ask after the recovery; 20s" },
    {
      flags: "--detector-timeout <time>",
      description: "how long the detector may take to cordon the node; 3m",
    },
    {
      flags: "--recovery-timeout <time>",
      description: "how long the pods may take to serve elsewhere; 10m",
    },
    {
      flags: "--duration <time>",
      description: "whatever happens, the faults end after this long; 30m",
    },
    {
      flags: "--lease <time>",
      description: "how long the faults outlive this process if it is killed; 15s",
    },
    {
      flags: "--min-success <share>",
      description: "the share of requests that must succeed afterwards; 0.9",
    },
    {
      flags: "--allow-real-reboot",
      description: "a detector may really restart or replace the machine",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with its timeline",
      completes: "file",
    },
    ...connectionOptions,
  ],
  examples: [
    {
      command:
        "tessera hw test --namespace shop --deployment server --xid 79 --enable-hw-faults --request pod:8000/health",
      shows: "a GPU falls off the bus under a running service",
    },
    {
      command: "tessera hw test --namespace shop --deployment server --xid 79 --dry-run",
      shows: "what would happen, without touching anything",
    },
  ],
  load: () => import("../actions/hw-test.ts"),
};
