import type { Action } from "../invocation.ts";
import { overrideNode } from "../node/override-node.ts";

/** `tessera node test`: a person wants a node tested now. */
export const run: Action = (invocation) => overrideNode(invocation, "test");
