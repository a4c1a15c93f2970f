import type { CommandSpec } from "../command-spec.ts";
import { controlOption } from "../hw-shim/control-option.ts";

export const hwShimStatusCommand: CommandSpec = {
  name: "hw shim status",
  summary: "show what a control block does now",
  description: "Says what is armed and until when.",
  options: [controlOption],
  examples: [
    {
      command: "tessera hw shim status --control /tmp/control --json",
      shows: "{ control, exists, inForce, armed, expiresAt, fault, codes }",
    },
  ],
  reports: false,
  load: () => import("../actions/hw-shim-status.ts"),
};
