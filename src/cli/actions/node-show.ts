import { exitCodes } from "../../platform/errors/index.ts";
import { textOption } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { describeNode, nodeLines } from "../node/describe-node.ts";
import { findNode } from "../node/known-node.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera node show`: everything the store has about a node. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io } = invocation;
  const wish = {
    node: args[0] ?? "",
    cluster: textOption(options, "cluster"),
    command: "node show",
  };
  const known = await withExistingStore(invocation, (opened) => findNode(opened, wish));
  const told = describeNode(known);
  if (globals.json) writeJson(io.stdout, told);
  else for (const line of nodeLines(told)) writeLine(io.stdout, line);
  return exitCodes.good;
};
