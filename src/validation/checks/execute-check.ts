import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { claimFolder, type OwnedFolder } from "../../platform/process/index.ts";
import type { RngStream } from "../../platform/rng/index.ts";
import { type Clock, sleep, withDeadline } from "../../platform/time/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type { RankLauncher } from "../../runtime/ranks/ranks.ts";
import { firstIssue, outputSchema } from "../collect/result-schema.ts";
import type { RunResult } from "../run.ts";
import type { PreparedCheck } from "./catalogue.ts";
import type { CheckContext, CheckHost, CheckOutput, CheckProfile } from "./check.ts";

export interface ExecuteOptions {
  readonly prepared: PreparedCheck;
  readonly profile: CheckProfile;
  readonly host: CheckHost;
  readonly clock: Clock;
  readonly rng: RngStream;
  /** Ends the run as `cancelled`. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** What the check sees of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts ranks for the check. */
  readonly ranks: RankLauncher;
  /** Ends the run as `timeout`. */
  readonly timeoutMs: number;
}

/** Hard facts kept of one run: the first say enough. */
const notedMax = 100;
/** How long a check that was told to end may take to end what it started and remove what it made. */
const settleMsMax = 5_000;

/** How a check ended, and the error that ended it if there was one. */
export interface Execution {
  readonly result: Omit<RunResult, "runId">;
  readonly thrown?: unknown;
}

/**
 * Runs a check once, in a temporary folder of its own. Never throws: whatever goes wrong is an outcome
 * other than `completed`. A check that does not obey its signal is soon no longer waited for.
 */
export async function executeCheck(options: ExecuteOptions): Promise<Execution> {
  const { clock, signal, timeoutMs, prepared } = options;
  const startedAtMs = clock.nowMs();
  const ended = () => ({ startedAtMs, endedAtMs: Math.max(startedAtMs, clock.nowMs()) });
  const noted: string[] = [];
  const noteHardFact = (sentence: string) => {
    if (noted.length < notedMax) noted.push(sentence);
  };
  let folder: OwnedFolder | undefined;
  let work: Promise<unknown> | undefined;
  try {
    folder = await claimFolder({ parent: tmpdir(), kind: "tessera-check", clock });
    const tempDir = join(folder.path, "work");
    await mkdir(tempDir);
    const what = `Check ${prepared.check.name}`;
    const output = await withDeadline({ clock, timeoutMs, what, signal }, async (inner) => {
      const running = runOnce(options, { signal: inner, tempDir, noteHardFact });
      work = running;
      return running;
    });
    const hardFacts = [...noted, ...output.hardFacts];
    const found = checked({ ...output, hardFacts }, prepared);
    return { result: { outcome: "completed", ...ended(), ...found } };
  } catch (thrown) {
    const { outcome, error } = reasonOf(thrown, { signal, timeoutMs });
    const found = { figures: {}, hardFacts: noted.slice(0, notedMax), facts: {} };
    return { result: { outcome, ...ended(), error, ...found }, thrown };
  } finally {
    await settled(work, clock);
    await folder?.remove().catch(() => {});
  }
}

/** Waits for the end of the work, however it ends, but not for ever. */
async function settled(work: Promise<unknown> | undefined, clock: Clock): Promise<void> {
  const enough = new AbortController();
  const limit = sleep(clock, settleMsMax, enough.signal);
  await Promise.race([work, limit]).catch(() => {});
  enough.abort();
  await limit.catch(() => {});
}

function runOnce(
  { prepared, clock, profile, host, rng, log, env, ranks }: ExecuteOptions,
  own: Pick<CheckContext<unknown>, "signal" | "tempDir" | "noteHardFact">,
): Promise<CheckOutput> {
  const { check, options } = prepared;
  return check.run({ ...own, clock, log, profile, options, host, rng, env, ranks });
}

/** A result that could not be handed in would be lost; better to say at once what is wrong with it. */
function checked(output: CheckOutput, { check }: PreparedCheck): CheckOutput {
  const parsed = outputSchema.safeParse(JSON.parse(JSON.stringify(output)));
  if (parsed.success) return output;
  const problem = `what it found is no result: ${firstIssue(parsed.error)}`;
  throw new TesseraError("E_CHECK_FAILED", { check: check.name, problem });
}

function reasonOf(
  thrown: unknown,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): { readonly outcome: "cancelled" | "timeout" | "error"; readonly error: string } {
  if (signal.aborted) return { outcome: "cancelled", error: messageOf(signal.reason) };
  if (thrown instanceof TesseraError && thrown.code === "E_TIMEOUT") {
    return { outcome: "timeout", error: `it did not end within ${formatDurationMs(timeoutMs)}` };
  }
  return { outcome: "error", error: messageOf(thrown) };
}
