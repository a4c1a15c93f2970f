import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Baselines, and what is done about nodes. */
export const actingRows = {
  E_BASELINE_UNKNOWN: {
    message: "There is no baseline {id} in the store {store}.",
    hint: "`tessera baseline list` shows the baselines there are.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
  E_BASELINE_REFUSED: {
    message: "Baseline {id} was not activated because {problem}.",
    hint: "Nothing was changed. Find out why the fleet is worse; if that is how it is to be, repeat with `--force` and a reason.",
    exitCode: exitCodes.failed,
    httpStatus: 409,
  },
  E_BASELINE_STATE: {
    message: "Baseline {id} is {state}, so it cannot be {wish}.",
    hint: "Nothing was changed. `tessera baseline propose` makes a new candidate.",
    exitCode: exitCodes.usage,
    httpStatus: 409,
  },
  E_NODE_UNKNOWN: {
    message: "Nothing is known about a node {node} in the store {store}{suggestion}.",
    hint: "Check the name; for a node that was never tested, name its cluster with `--cluster`.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
} as const satisfies Record<string, ErrorRow>;
