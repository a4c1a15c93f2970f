import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlurmClient, type SlurmClientOptions } from "../../../src/platform/slurm/index.ts";
import { createRealClock, VirtualClock } from "../../../src/platform/time/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { captured } from "./captures.ts";
import { createFakeBin, type FakeBin } from "./fake-bin.ts";

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
});
afterEach(() => bin.remove());

const create = (more: Partial<SlurmClientOptions> = {}) =>
  createSlurmClient({ bin: bin.path, env: process.env, clock: createRealClock(), ...more });

const failing = (words: string, code = 1) => `echo '${words}' >&2; exit ${code}`;

describe("what a tool says when it fails", () => {
  it.each([
    [
      "E_SLURM_UNREACHABLE",
      "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
    ],
    ["E_SLURM_UNREACHABLE", "sinfo: error: Munge encode failed: Failed to access socket"],
    ["E_SLURM_UNREACHABLE", "slurm_update error: Socket timed out on send/recv operation"],
    ["E_SLURM_UNREACHABLE", "sinfo: fatal: Could not establish a configuration source"],
    ["E_SLURM_UNREACHABLE", "sinfo: fatal: Unable to process configuration file"],
    ["E_SLURM_DENIED", "slurm_update error: Invalid user id"],
    ["E_SLURM_DENIED", "slurm_update error: Access/permission denied"],
    [
      "E_SLURM_DENIED",
      "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified",
    ],
    ["E_SLURM_FAILED", "slurm_update error: Invalid node name specified"],
    ["E_SLURM_FAILED", ""],
  ])("is %s: %s", async (code, words) => {
    await bin.program("scontrol", failing(words));
    const change = { state: "DRAIN", reason: "x" } as const;
    await expect(create().updateNode("g0", change)).rejects.toMatchObject({ code });
  });

  it("is what scontrol says of it where an empty list says nothing, as that of 22.05 does", async () => {
    const empty = '{"errors":[{"error":"Unspecified error","errno":-1}],"nodes":[]}';
    const json = `case "$1" in --version) echo slurm 22.05.8 ;; *) echo '${empty}' ;; esac`;
    await bin.program("sinfo", json);
    const words = "slurm_load_node error: Unable to contact slurm controller (connect failure)";
    await bin.program("scontrol", failing(words));
    const client = create();
    await expect(client.nodes()).rejects.toMatchObject({
      code: "E_SLURM_UNREACHABLE",
      message: expect.stringContaining("Unable to contact slurm controller"),
    });
    // It is asked for JSON again: that it has none is not what was said.
    await bin.answers("sinfo", [["--json", captured("22.05.8", "nodes.json")]]);
    expect(await client.nodes()).toHaveLength(7);
  });

  it("is E_SLURM_SHAPE where it shows no node at all, in JSON and in text", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    await bin.answers("scontrol", [["--all show nodes --json", '{"errors":[],"nodes":[]}']]);
    await expect(create().nodes()).rejects.toMatchObject({
      code: "E_SLURM_SHAPE",
      message: expect.stringContaining("nodes"),
    });
    await bin.answers("sinfo", [["--version", "slurm 21.08.5\n"]]);
    await bin.answers("scontrol", [["--all -d show nodes", "No nodes in the system\n"]]);
    await expect(create().nodes()).rejects.toMatchObject({ code: "E_SLURM_SHAPE" });
  });

  it("is not overheard where a list that is not whole stands beside it: text is read instead", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    const { nodes } = JSON.parse(captured("25.11.2", "nodes.json")) as { nodes: unknown[] };
    const part = JSON.stringify({ errors: [{ error: "Timed out" }], nodes: nodes.slice(0, 2) });
    await bin.answers("scontrol", [
      ["--all show nodes --json", part],
      ["--all -d show nodes", captured("25.11.2", "nodes.txt")],
    ]);
    expect(await create().nodes()).toHaveLength(7);
  });

  it("is E_SLURM_MISSING where there is no such program, in the folder told or on PATH", async () => {
    await expect(create().release()).rejects.toMatchObject({ code: "E_SLURM_MISSING" });
    const nowhere = create({ bin: undefined, env: { PATH: "/nowhere" } });
    await expect(nowhere.release()).rejects.toMatchObject({ code: "E_SLURM_MISSING" });
    await bin.answers("sinfo", [["--version", "slurm 24.11.5\n"]]);
    const found = create({ bin: undefined, env: { PATH: `/nowhere:${bin.path}:/bin:/usr/bin` } });
    await expect(found.release()).resolves.toMatchObject({ major: 24 });
  });

  it("is E_SLURM_UNREACHABLE where it says nothing for too long", async () => {
    await bin.program("sinfo", 'echo waiting >&2; echo begun >> "$CALLS"; exec sleep 600');
    const clock = new VirtualClock();
    let error: unknown;
    const release = create({ timeoutMs: 300, clock }).release();
    void release.catch((thrown: unknown) => {
      error = thrown;
    });
    await waitUntil("it has begun", async () => (await bin.calls()) !== "");
    await waitUntil("it was given up", async () => {
      await clock.advance(300);
      return error !== undefined;
    });
    expect(error).toMatchObject({
      code: "E_SLURM_UNREACHABLE",
      message: expect.stringContaining("waiting"),
    });
  });

  it("is E_SLURM_FAILED where it prints more than is read", async () => {
    await bin.program("sinfo", "exec head -c 3000000 /dev/zero");
    const outputBytesMax = 2 * 2 ** 20;
    await expect(create({ outputBytesMax }).release()).rejects.toMatchObject({
      code: "E_SLURM_FAILED",
      message: expect.stringContaining("2 MiB"),
    });
  });

  it("is the signal's reason where the caller gave up", async () => {
    await bin.program("sinfo", "exec sleep 600");
    const giveUp = new AbortController();
    const release = create().release({ signal: giveUp.signal });
    giveUp.abort(new Error("enough"));
    await expect(release).rejects.toThrow("enough");
  });
});
