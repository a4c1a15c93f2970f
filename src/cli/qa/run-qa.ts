import { resolve } from "node:path";
import type { ExitCode } from "../../platform/errors/index.ts";
import type { Invocation } from "../invocation.ts";
import { reporterFor } from "../reporter.ts";
import { rehearsalOf } from "./rehearsal.ts";

const measuredNote = "the section `measured` ran between real processes of this host";

/** Values that anyone can have again; `--seed` gives others. */
const defaultSeed = "tessera";

/** Runs one suite of checks on simulated devices and reports it. */
export async function runQa(suite: "rack" | "cluster", invocation: Invocation): Promise<ExitCode> {
  const { clock, signal, options, io } = invocation;
  const [{ values }, qa, { breakDuring }, reporters, { exitCodeOfVerdict }] = await Promise.all([
    invocation.config(),
    import("../../runtime/qa/index.ts"),
    import("../../runtime/dist/index.ts"),
    import("../../platform/reporters/index.ts"),
    import("../../platform/words.ts"),
  ]);
  const world = qa.createWorld(suite, { seed: values.seed ?? defaultSeed });
  const place = { command: `qa ${suite}`, devices: world.devices.length };
  const { breakages, notes } = rehearsalOf(options, place);
  const measured = options["measured"] === true;
  const own = measured ? await measuredChecksOf(invocation) : [];
  const html = options["html"];
  const files =
    typeof html === "string"
      ? [reporters.createFileReporter({ path: resolve(io.cwd, html), format: "html" })]
      : [];
  const reporter = reporters.createMultiplexer([reporterFor(invocation), ...files]);
  try {
    const report = await breakDuring(breakages, () =>
      qa.runSuite({
        world,
        checks: [...qa.qaChecks, ...own],
        clock,
        reporter,
        signal,
        notes: [...notes, ...(measured ? [measuredNote] : [])],
      }),
    );
    await reporter.onEnd(report);
    return exitCodeOfVerdict(reporters.verdictOf(report));
  } finally {
    reporter.onAbort();
  }
}

async function measuredChecksOf(invocation: Invocation) {
  const { measuredChecks } = await import("./measured-checks.ts");
  return measuredChecks(invocation);
}
