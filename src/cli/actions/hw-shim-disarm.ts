import { exitCodes } from "../../platform/errors/index.ts";
import { controlFile } from "../hw-shim/control-option.ts";
import { showControl } from "../hw-shim/show-control.ts";
import type { Action } from "../invocation.ts";

const command = "hw shim disarm";

/** `tessera hw shim disarm`: CUDA calls go through again. */
export const run: Action = async (invocation) => {
  const { disarmControl } = await import("../../hardware/shim/index.ts");
  const path = controlFile(invocation, command);
  await disarmControl(path);
  await showControl(invocation, path);
  return exitCodes.good;
};
