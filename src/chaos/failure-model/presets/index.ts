import type { FailureModel } from "../failure-model.ts";
import { ftHsdp } from "./ft-hsdp.ts";
import { llama3 } from "./llama3.ts";
import { rsc1, rsc2 } from "./rsc.ts";

/** Fleets that somebody counted the failures of. */
export const failureModels = { llama3, rsc1, rsc2, "ft-hsdp": ftHsdp } as const satisfies Readonly<
  Record<string, FailureModel>
>;

export type FailureModelName = keyof typeof failureModels;
