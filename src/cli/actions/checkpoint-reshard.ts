import { exitCodes } from "../../platform/errors/index.ts";
import { planReshard } from "../checkpoint/reshard-plan.ts";
import { readReshardRequest } from "../checkpoint/reshard-request.ts";
import {
  reshardDocument,
  reshardPlanDocument,
  showReshardPlan,
  showReshardResult,
} from "../checkpoint/show-reshard.ts";
import { watchedFiles } from "../checkpoint/watched-files.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera checkpoint reshard`: a checkpoint for another mesh. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, signal } = invocation;
  const request = await readReshardRequest(invocation);
  const [{ reshardCheckpoint }, { createNodeFiles }] = await Promise.all([
    import("../../runtime/checkpoint/examine/index.ts"),
    import("../../runtime/checkpoint/files/index.ts"),
  ]);
  const files = watchedFiles(createNodeFiles(), { signal });
  const plan = await planReshard(files, request);
  const show = (document: object, lines: readonly string[]) => {
    if (globals.json) writeJson(io.stdout, document);
    else for (const line of lines) writeLine(io.stdout, line);
    return exitCodes.good;
  };
  if (request.dryRun) {
    return show(reshardPlanDocument(request, plan), showReshardPlan(request, plan));
  }
  const { mesh, root } = request;
  const { folder, tag } = plan;
  const result = await reshardCheckpoint(files, { from: folder, mesh, root, tag, clock, signal });
  return show(reshardDocument(request, plan, result), showReshardResult(request, plan, result));
};
