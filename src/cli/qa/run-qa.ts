import { resolve } from "node:path";
import type { ExitCode } from "../../platform/errors/index.ts";
import type { Invocation } from "../invocation.ts";
import { reporterFor } from "../reporter.ts";
import { rehearsalOf } from "./rehearsal.ts";

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
  const html = options["html"];
  const files =
    typeof html === "string"
      ? [reporters.createFileReporter({ path: resolve(io.cwd, html), format: "html" })]
      : [];
  const reporter = reporters.createMultiplexer([reporterFor(invocation), ...files]);
  try {
    const report = await breakDuring(breakages, () =>
      qa.runSuite({ world, checks: qa.qaChecks, clock, reporter, signal, notes }),
    );
    await reporter.onEnd(report);
    return exitCodeOfVerdict(reporters.verdictOf(report));
  } finally {
    reporter.onAbort();
  }
}
