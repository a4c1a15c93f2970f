import type { CommandSpec } from "../command-spec.ts";

export const xidExplainCommand: CommandSpec = {
  name: "xid explain",
  summary: "explain an XID: what it means, what to do, what each detector does",
  description:
    "Explains an XID of an NVIDIA GPU: its name, what NVIDIA's catalogue says to do, what NVSentinel, gpud and DCGM each do with it and where they disagree, and which CUDA error stands for it when it is injected. Without a number: the whole catalogue. A number that is in no catalogue is answered too: NVSentinel cordons the node for it.",
  arguments: [{ name: "[xid]", description: "the number; without it, all are listed" }],
  examples: [
    { command: "tessera xid explain 79", shows: "a GPU that has fallen off the bus" },
    {
      command: "tessera xid explain --json",
      shows: "the catalogue with its sources, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/xid-explain.ts"),
};
