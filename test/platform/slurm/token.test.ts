import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlurmClient } from "../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { createFakeBin, type FakeBin } from "./fake-bin.ts";

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
});
afterEach(() => bin.remove());

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJ0ZXNzZXJhIn0.c2lnbmF0dXJl";

const create = (own: Readonly<Record<string, string>> = { SLURM_JWT: token }) => {
  const env = { PATH: process.env.PATH, ...own };
  return createSlurmClient({ bin: bin.path, env, clock: createRealClock() });
};

/** What the program of that name sees. */
const noting = '/usr/bin/env >> "$CALLS"';

describe("a token for Slurm", () => {
  it("reaches its programs, and is not there where none is set", async () => {
    await bin.program("sinfo", `${noting}; echo slurm 24.11.5`);
    await create({}).release();
    expect(await bin.calls()).not.toContain("SLURM_JWT");
    await create().release();
    expect(await bin.calls()).toContain(`SLURM_JWT=${token}\n`);
  });

  it("reaches sbatch, and not what its job runs", async () => {
    const submission = { script: "#!/bin/sh\nexec /usr/bin/env\n", args: [], env: { A: "b" } };
    await bin.program("sbatch", `${noting}; echo 12`);
    await create().submit(submission);
    expect(await bin.calls()).toContain(`SLURM_JWT=${token}\n`);
    // What sbatch sees with --export=ALL is what the script begins with.
    const before = (await bin.calls()).length;
    await bin.program("sbatch", '/bin/sh -s >> "$CALLS"; echo 12');
    await create().submit(submission);
    const seen = (await bin.calls()).slice(before);
    expect(seen).toContain("A=b\n");
    expect(seen).not.toContain(token);
  });

  it.each([">&2", ""])("is in no error, though a program says it: %s", async (where) => {
    const says = `echo "scontrol: error: token $SLURM_JWT has expired" ${where}; exit 1`;
    await bin.program("scontrol", says);
    const failure = create().updateNode("g0", { state: "RESUME" });
    const error = await failure.then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).toContain("token *** has expired");
    expect(JSON.stringify([error, String(error), error?.stack])).not.toContain(token);
  });

  it("that is empty hides nothing of what a program says", async () => {
    await bin.program("scontrol", "echo 'scontrol: error: Invalid node name' >&2; exit 1");
    const failure = create({ SLURM_JWT: "" }).updateNode("g0", { state: "RESUME" });
    await expect(failure).rejects.toThrow("Invalid node name");
  });
});
