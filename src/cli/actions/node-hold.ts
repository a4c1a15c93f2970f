import type { Action } from "../invocation.ts";
import { overrideNode } from "../node/override-node.ts";

/** `tessera node hold`: a person keeps a node from users. */
export const run: Action = (invocation) => overrideNode(invocation, "hold");
