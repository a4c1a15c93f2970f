import type { Action } from "../invocation.ts";
import { overrideNode } from "../node/override-node.ts";

/** `tessera node release`: a person gives a node back to users. */
export const run: Action = (invocation) => overrideNode(invocation, "release");
