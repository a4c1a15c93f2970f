import type { Action } from "../invocation.ts";
import { runQa } from "../qa/run-qa.ts";

/** `tessera qa rack` */
export const run: Action = (invocation) => runQa("rack", invocation);
