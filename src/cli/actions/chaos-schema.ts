import { experimentJsonSchema } from "../../chaos/experiment/schema/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson } from "../output.ts";

/** `tessera chaos schema`. */
export const run: Action = async ({ io }) => {
  writeJson(io.stdout, experimentJsonSchema());
  return exitCodes.good;
};
