import { configJsonSchema } from "../../platform/config/json-schema.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson } from "../output.ts";

/** `tessera config schema`. */
export const run: Action = async ({ io }) => {
  writeJson(io.stdout, configJsonSchema());
  return exitCodes.good;
};
