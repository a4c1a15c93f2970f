import type { Action } from "../invocation.ts";
import { runQa } from "../qa/run-qa.ts";

/** `tessera qa cluster` */
export const run: Action = (invocation) => runQa("cluster", invocation);
