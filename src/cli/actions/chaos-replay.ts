import { resolve } from "node:path";
import type { Journal, Replay, TracingWorld } from "../../chaos/journal/index.ts";
import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera chaos replay`, in a world of the caller's choice. */
export function createReplay(open: () => Promise<TracingWorld>): Action {
  return async ({ args, globals, io, signal }) => {
    const [{ describeReplay, readJournal, replay }, { judge }] = await Promise.all([
      import("../../chaos/journal/index.ts"),
      import("../../chaos/judge/index.ts"),
    ]);
    const file = args[0] ?? "";
    const journal = await readJournal(resolve(io.cwd, file), file);
    const result = await replay(journal, { world: await open(), judge, signal });
    signal.throwIfAborted();
    const isSame = result.differences.length === 0;
    if (globals.json) {
      writeJson(io.stdout, documentOf(file, journal, result));
      return isSame ? exitCodes.good : exitCodes.failed;
    }
    for (const note of result.notes) writeLine(io.stderr, `note: ${note}`);
    if (!isSame) {
      throw new TesseraError("E_REPLAY", { file, problem: describeReplay(result) });
    }
    if (!globals.quiet) for (const line of show(journal, result)) writeLine(io.stdout, line);
    return exitCodes.good;
  };
}

export const run: Action = createReplay(async () => {
  const { createSimWorld } = await import("../../chaos/sim/index.ts");
  return createSimWorld();
});

function documentOf(file: string, { tool, planHash, plan }: Journal, result: Replay): object {
  const { record, judgement } = result.run;
  return {
    file,
    same: result.differences.length === 0,
    tool,
    planHash,
    seed: plan.seed,
    traceHash: record.traceHash,
    stateDigest: record.stateDigest,
    outcome: judgement.outcome,
    signature: judgement.signature,
    differences: result.differences,
    firstEvent: result.firstEvent,
    firstEntry: result.firstEntry,
    notes: result.notes,
  };
}

function show({ plan }: Journal, { run: { record, judgement } }: Replay): readonly string[] {
  return [
    `${plan.title}: came out the same (simulated).`,
    `  outcome ${judgement.outcome}: ${judgement.reason}`,
    `  trace ${record.traceHash ?? "none"}, state ${record.stateDigest ?? "none: the job did not finish"}`,
  ];
}
