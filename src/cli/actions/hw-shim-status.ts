import { exitCodes } from "../../platform/errors/index.ts";
import { controlFile } from "../hw-shim/control-option.ts";
import { showControl } from "../hw-shim/show-control.ts";
import type { Action } from "../invocation.ts";

const command = "hw shim status";

/** `tessera hw shim status`: what a block does. */
export const run: Action = async (invocation) => {
  await showControl(invocation, controlFile(invocation, command));
  return exitCodes.good;
};
