import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leftIn, runExample, runsFolder } from "./lib/run-example.ts";

/** Where the example says that PyTorch is to be installed. */
const programs = join(homedir(), ".cache/tessera/python/torch-cpu/bin");
/** A minute of starting PyTorch again and again: too long for every change. `.ci/nightly` sets it. */
const isWanted = process.env["TESSERA_TORCHRUN"] === "yes";
const why = whyNot();
const reason = why === undefined ? "" : ` (skipped: ${why})`;

function whyNot(): string | undefined {
  if (!existsSync(join(programs, "torchrun"))) return `there is no ${programs}/torchrun`;
  return isWanted ? undefined : "it takes a minute; TESSERA_TORCHRUN=yes runs it";
}

describe.skipIf(why !== undefined)(`a PyTorch DDP job under torchrun${reason}`, () => {
  const env = { PATH: `${programs}:${process.env["PATH"] ?? ""}` };

  it("comes back from its checkpoint when a worker is killed, with the same weights", async () => {
    const folder = runsFolder();
    const run = await runExample("torchrun/kill-worker.yaml", { folder, env });
    const { judgement, record } = run;
    expect(judgement.outcome, judgement.reason).toBe("pass");
    expect(judgement.recoveries).toHaveLength(1);
    expect(judgement.recoveries[0]).toMatchObject({ path: "checkpointRestart" });
    expect(record.stateDigest).toBe(run.baseline?.stateDigest);
    expect(leftIn(folder)).toEqual([]);
  }, 240_000);

  it("fails when torchrun may not restart", async () => {
    const folder = runsFolder();
    const run = await runExample("torchrun/kill-worker-must-fail.yaml", { folder, env });
    expect(run.judgement.outcome).toBe("fail");
    expect(run.baseline?.end).toBe("finished");
    expect(leftIn(folder)).toEqual([]);
  }, 240_000);
});
