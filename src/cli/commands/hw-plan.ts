import type { CommandSpec } from "../command-spec.ts";
import { connectionOptions, workloadOptions, xidOptions } from "../hw/connection-options.ts";

export const hwPlanCommand: CommandSpec = {
  name: "hw plan",
  summary: "say what an XID on a node would do, and what each detector should do about it",
  description:
    "Asks the fault API and changes nothing: the exact lines, what NVSentinel, gpud, DCGM and our own detector make of them, which pods are hit, whether a machine would really restart, and every rule of the guard. Exit code 1 when the guard refuses.",
  options: [...xidOptions, ...workloadOptions, ...connectionOptions],
  examples: [
    {
      command: "tessera hw plan --namespace inference --deployment server --xid 79",
      shows: "what losing a GPU under that Deployment would set off",
    },
  ],
  reports: false,
  load: () => import("../actions/hw-plan.ts"),
};
