import { exitCodes } from "../../platform/errors/index.ts";
import { readLimit } from "../checkpoint/limit.ts";
import { pathAt } from "../checkpoint/path-at.ts";
import { showInspection } from "../checkpoint/show-inspection.ts";
import { watchedFiles } from "../checkpoint/watched-files.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera checkpoint inspect`: what lies at a path. */
export const run: Action = async ({ args, globals, io, options, signal }) => {
  const path = args[0] ?? "";
  const limit = readLimit(options["limit"], { command: "checkpoint inspect", otherwise: 50 });
  const [{ inspectPath }, { createNodeFiles }] = await Promise.all([
    import("../../runtime/checkpoint/examine/index.ts"),
    import("../../runtime/checkpoint/files/index.ts"),
  ]);
  const files = watchedFiles(createNodeFiles(), { signal });
  const inspection = { ...(await inspectPath(files, await pathAt(io.cwd, path))), path };
  signal.throwIfAborted();
  if (globals.json) writeJson(io.stdout, inspection);
  else for (const line of showInspection(inspection, limit)) writeLine(io.stdout, line);
  return exitCodes.good;
};
