import type { CommandSpec } from "../command-spec.ts";

export const agentKmsgDeviceCommand: CommandSpec = {
  name: "agent kmsg-device",
  summary: "offer the kernel log of this node to pods as a device of the kubelet",
  description:
    "A device plugin: pods that ask for the resource tessera.dev/kmsg get /dev/kmsg of their node, and nothing else of it, so that `tessera agent` needs no privileged container. It opens nothing itself; it listens only on a Unix socket in the kubelet's folder, registers anew when the kubelet restarts, and says that the device is unhealthy when it is gone.",
  options: [
    {
      flags: "--folder <folder>",
      description:
        "where the kubelet listens for plugins; /var/lib/kubelet/device-plugins unless told",
      completes: "directory",
    },
    {
      flags: "--devices <count>",
      description: "how many containers of this node may have it at once; 4 unless told",
    },
    {
      flags: "--path <device>",
      description: "the character device on the node; /dev/kmsg unless told",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera agent kmsg-device",
      shows: "in a DaemonSet beside the agent; deploy/hardware has both",
    },
  ],
  reports: false,
  load: () => import("../actions/agent-kmsg-device.ts"),
};
