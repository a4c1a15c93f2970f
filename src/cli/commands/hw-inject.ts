import type { CommandSpec } from "../command-spec.ts";
import { connectionOptions, workloadOptions, xidOptions } from "../hw/connection-options.ts";

export const hwInjectCommand: CommandSpec = {
  name: "hw inject",
  summary: "break a GPU on purpose: an XID in a kernel log, or CUDA calls that fail",
  description:
    "Asks the fault API for one fault and prints its id and its end. `xid` writes into the kernel log of a node, so that detectors react as to a real fault; `cuda` lets the CUDA calls of a workload's pods on a node fail, where they have the shim; `passthrough` puts the shim into a workload, and its pods are replaced for that, now and again at the end (with --node they prefer that node). Every fault ends by itself: after --duration, or with --hold soon after this process is gone. `tessera hw revert` ends it before.",
  arguments: [
    { name: "<kind>", description: "what to break", choices: ["xid", "cuda", "passthrough"] },
  ],
  options: [
    { flags: "--enable-hw-faults", description: "yes, break it; nothing happens without this" },
    ...xidOptions,
    ...workloadOptions,
    { flags: "--after-calls <number>", description: "cuda: so many calls go well first" },
    { flags: "--after <time>", description: "cuda: so long calls go well first" },
    { flags: "--probability <share>", description: "cuda: of each call to fail; 1" },
    { flags: "--duration <time>", description: "it ends after this long; 10m" },
    {
      flags: "--hold",
      description: "stay, renew it, and take it back on Ctrl-C",
    },
    { flags: "--lease <time>", description: "with --hold: how long it outlives this process; 15s" },
    { flags: "--run <name>", description: "which test it belongs to" },
    {
      flags: "--name <name>",
      description: "the fault's name; the same line again is then the same fault",
    },
    ...connectionOptions,
  ],
  examples: [
    {
      command:
        "tessera hw inject xid --namespace inference --node gpu-17 --xid 79 --duration 5m --enable-hw-faults",
      shows: "one line in a node's kernel log, and everything back after five minutes",
    },
    {
      command:
        "tessera hw inject passthrough --namespace inference --deployment server --duration 1h --enable-hw-faults",
      shows: "the shim in every pod of a Deployment for an hour; its pods are replaced",
    },
    {
      command:
        "tessera hw inject cuda --namespace inference --deployment server --xid 48 --hold --enable-hw-faults",
      shows: "CUDA calls that fail until Ctrl-C",
    },
  ],
  reports: false,
  load: () => import("../actions/hw-inject.ts"),
};
