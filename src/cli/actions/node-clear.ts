import { exitCodes } from "../../platform/errors/index.ts";
import { actorOf, requiredReason, textOption } from "../actor.ts";
import type { Action } from "../invocation.ts";
import { clearedLines } from "../node/cleared-lines.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const command = "node clear";

/** `tessera node clear`: nodes as if we had never been there. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io } = invocation;
  const [only] = args;
  if ((only !== undefined) === (options["all"] === true)) {
    throw usageError(command, "either a node or `--all` says what to clear");
  }
  const isDryRun = options["yes"] !== true;
  const { clearNodes } = await import("../node/clear-nodes.ts");
  const nodes = await clearNodes(invocation, {
    node: only,
    cluster: textOption(options, "cluster"),
    by: isDryRun
      ? undefined
      : { actor: actorOf(invocation), reason: requiredReason(command, options) },
  });
  if (globals.json === true) {
    const shown = nodes.map(({ error, ...node }) => ({ ...node, problem: error?.message ?? null }));
    writeJson(io.stdout, { dryRun: isDryRun, nodes: shown });
  } else {
    for (const line of clearedLines(nodes, { isDryRun })) writeLine(io.stdout, line);
  }
  const failed = nodes.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) throw failed.error;
  return exitCodes.good;
};
