import { exitCodes } from "../../platform/errors/index.ts";
import { controlFile } from "../hw-shim/control-option.ts";
import { lastsMs } from "../hw-shim/fault-flags.ts";
import { showControl } from "../hw-shim/show-control.ts";
import type { Action } from "../invocation.ts";

const command = "hw shim renew";

/** `tessera hw shim renew`: what is armed lasts longer. */
export const run: Action = async (invocation) => {
  const { renewControl } = await import("../../hardware/shim/index.ts");
  const path = controlFile(invocation, command);
  const expiresAtMs = invocation.clock.nowMs() + lastsMs(invocation, command);
  await renewControl(path, { expiresAtMs });
  await showControl(invocation, path);
  return exitCodes.good;
};
