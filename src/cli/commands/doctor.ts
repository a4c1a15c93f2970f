import type { CommandSpec } from "../command-spec.ts";

export const doctorCommand: CommandSpec = {
  name: "doctor",
  summary: "say what works on this machine, what does not, and what to do",
  description:
    "Looks at Node.js, the store, Kubernetes, GPU libraries, fio, the kernel log, network namespaces, control groups and the browser. Changes nothing. Exit code 0 when everything required works, 1 when something required is missing, 3 when that could not be found out.",
  options: [
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page",
      completes: "file",
    },
    {
      flags: "--markdown <file>",
      description: "also write the result as Markdown",
      completes: "file",
    },
  ],
  examples: [
    { command: "tessera doctor", shows: "what works here" },
    { command: "tessera doctor --verbose", shows: "with the facts behind every finding" },
    { command: "tessera doctor --json", shows: "the same for programs" },
    {
      command: "tessera doctor --html doctor.html --junit doctor.xml",
      shows: "files for people and for CI",
    },
  ],
  load: () => import("../actions/doctor.ts"),
};
