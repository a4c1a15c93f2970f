import type { CommandSpec } from "../command-spec.ts";
import { serviceClusterOptions } from "../hw/connection-options.ts";

/** `off` and so on: a copy, because help and completion must not load the agent. */
const detectors = ["off", "condition", "cordon", "drain"];

export const agentNodeCommand: CommandSpec = {
  name: "agent",
  summary: "carry out the hardware faults of a node, and take them back",
  description:
    "What the DaemonSet runs on every node that may be tested. It watches the HardwareFaults of its node and carries out those that are armed: lines in the kernel log, control blocks of the CUDA shim. It takes back what has ended or whose lease was not renewed, also faults on no node, and needs nobody else for that. It opens no port apart from health on the loopback address. A line is noted on the disk before it is written, so that no line is ever written twice; one whose writing a crash cuts short is lost. With a detector it also reads the kernel log, sets the condition TesseraXidError on the node for a fatal XID, closes the node and asks pods with GPUs to leave, as far as told. SIGTERM ends it with exit code 0; what is in force then ends with its lease, or goes on with the next agent.",
  options: [
    { flags: "--node <name>", description: "the node it runs on; else the variable TESSERA_NODE" },
    {
      flags: "--namespace <name>",
      description: "where the faults are kept; tessera-hardware if not given",
    },
    {
      flags: "--control-folder <folder>",
      description: "where pods find the shim; /var/lib/tessera/cuda-fault if not given",
      completes: "directory",
    },
    {
      flags: "--kernel-log <path>",
      description: "write and read lines there; without it XID faults fail",
      completes: "file",
    },
    {
      flags: "--allow-kernel-log-device",
      description: "the kernel log may be the machine's own, /dev/kmsg",
    },
    {
      flags: "--detector <mode>",
      description: "what to do about a fatal XID; off if not given",
      choices: detectors,
    },
    {
      flags: "--proc-folder <folder>",
      description: "where the driver tells of its GPUs; /proc/driver/nvidia if not given",
      completes: "directory",
    },
    {
      flags: "--health-port <number>",
      description: "answer GET /healthz on this port of 127.0.0.1; 0, or not given: nowhere",
    },
    ...serviceClusterOptions,
  ],
  examples: [
    {
      command:
        "tessera agent --node gpu-17 --kernel-log /dev/kmsg --allow-kernel-log-device --detector cordon",
      shows: "the agent of a node in a cluster without a detector of its own",
    },
    {
      command: "tessera agent --node test-1 --control-folder ./shim --kernel-log ./kmsg",
      shows: "one for a test, with a file in place of the kernel's log",
    },
  ],
  reports: false,
  load: () => import("../actions/agent-node.ts"),
};
