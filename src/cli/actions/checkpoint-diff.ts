import { exitCodes } from "../../platform/errors/index.ts";
import { readLimit } from "../checkpoint/limit.ts";
import { pathAt } from "../checkpoint/path-at.ts";
import { diffDocument, showDiff } from "../checkpoint/show-diff.ts";
import { watchedFiles } from "../checkpoint/watched-files.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera checkpoint diff`: 0 the same, 1 different. */
export const run: Action = async ({ args, globals, io, options, signal }) => {
  const [a = "", b = ""] = args;
  const limit = readLimit(options["limit"], { command: "checkpoint diff", otherwise: 20 });
  const [{ diffPaths }, { createNodeFiles }] = await Promise.all([
    import("../../runtime/checkpoint/examine/index.ts"),
    import("../../runtime/checkpoint/files/index.ts"),
  ]);
  const files = watchedFiles(createNodeFiles(), { signal });
  const result = await diffPaths(files, await pathAt(io.cwd, a), await pathAt(io.cwd, b));
  signal.throwIfAborted();
  if (globals.json) writeJson(io.stdout, diffDocument({ a, b }, result));
  else for (const line of showDiff({ a, b }, result, limit)) writeLine(io.stdout, line);
  return result.equal ? exitCodes.good : exitCodes.failed;
};
