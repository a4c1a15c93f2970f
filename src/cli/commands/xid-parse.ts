import type { CommandSpec } from "../command-spec.ts";

export const xidParseCommand: CommandSpec = {
  name: "xid parse",
  summary: "say what NVSentinel and gpud do with each line of a kernel log",
  description:
    "Reads a file of kernel lines and says of each what the real detectors do with that very line, their quirks included: whether NVSentinel matches it, calls it fatal and with which action, and whether gpud matches it and as what. The file may hold plain lines, records of /dev/kmsg, and the output of dmesg and journalctl (-o json too). A record that a program wrote (its facility is not the kernel's) reaches NVSentinel as journald leaves it. With --json: one line of JSON for each line of the file. Each line is judged by itself, with every GPU and switch known to NVSentinel.",
  arguments: [{ name: "<file>", description: "the kernel lines", completes: "file" }],
  options: [
    {
      flags: "--driver <version>",
      description:
        "version of the NVIDIA driver, which NVLink 5 errors are decoded by; 580 when not given, and what is no number counts as unknown",
    },
  ],
  examples: [
    { command: "tessera xid parse kernel.log", shows: "the lines that a detector reacts to" },
    {
      command: "tessera xid parse kernel.log --json --driver 570.148.08",
      shows: "all lines, for programs, as with an older driver",
    },
  ],
  reports: false,
  load: () => import("../actions/xid-parse.ts"),
};
