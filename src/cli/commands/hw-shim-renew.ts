import type { CommandSpec } from "../command-spec.ts";
import { controlOption, forOption } from "../hw-shim/control-option.ts";

export const hwShimRenewCommand: CommandSpec = {
  name: "hw shim renew",
  summary: "move the end of a fault that is armed",
  description:
    "Moves the end of what is armed; a block that is not armed stays so, with exit code 3.",
  options: [controlOption, forOption],
  examples: [
    {
      command: "tessera hw shim renew --control /tmp/control --for 10m",
      shows: "ten more minutes from now",
    },
  ],
  reports: false,
  load: () => import("../actions/hw-shim-renew.ts"),
};
