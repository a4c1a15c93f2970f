import type { CommandSpec } from "../command-spec.ts";
import { controlOption } from "../hw-shim/control-option.ts";

export const hwShimDisarmCommand: CommandSpec = {
  name: "hw shim disarm",
  summary: "let CUDA calls through again",
  description:
    "Disarms a control block. Processes that met a sticky error must be started again, as after a real one.",
  options: [controlOption],
  examples: [
    {
      command: "tessera hw shim disarm --control /tmp/control",
      shows: "CUDA calls that go through",
    },
  ],
  reports: false,
  load: () => import("../actions/hw-shim-disarm.ts"),
};
