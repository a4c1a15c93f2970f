import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlurmClient } from "../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { captured } from "./captures.ts";
import { createFakeBin, type FakeBin } from "./fake-bin.ts";

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
});
afterEach(() => bin.remove());

const create = () =>
  createSlurmClient({ bin: bin.path, env: process.env, clock: createRealClock() });

const versionsAsked = async () => (await bin.calls()).match(/sinfo --version/g)?.length ?? 0;

/** The tools of 22.05, whose sinfo prints nodes. */
const install2205 = () =>
  bin.answers("sinfo", [
    ["--version", captured("22.05.8", "version.txt")],
    ["--json", captured("22.05.8", "nodes.json")],
  ]);

/** Those of 25.11, whose sinfo prints groups of nodes under another name. */
async function install2511(): Promise<void> {
  await bin.answers("sinfo", [
    ["--version", captured("25.11.2", "version.txt")],
    ["--json", '{"sinfo":[],"errors":[]}'],
  ]);
  await bin.answers("scontrol", [
    ["--all show nodes --json", captured("25.11.2", "nodes.json")],
    ["--all show partitions", captured("25.11.2", "partitions.txt")],
    ["--all -d show nodes", captured("25.11.2", "nodes.txt")],
  ]);
}

describe("tools that are exchanged under a process", () => {
  it("are asked for their release again after an answer that was not understood", async () => {
    await install2205();
    const client = create();
    expect(await client.nodes()).toHaveLength(7);
    await install2511();
    await expect(client.nodes()).rejects.toMatchObject({ code: "E_SLURM_SHAPE" });
    expect(await client.nodes()).toHaveLength(7);
    expect((await client.release()).text).toBe("25.11.2");
    expect(await versionsAsked()).toBe(2);
  });

  it("are asked once while their answers are understood, and while nobody answers", async () => {
    await install2511();
    const client = create();
    expect(await client.nodes()).toHaveLength(7);
    expect(await client.partitions()).toHaveLength(2);
    await bin.program("scontrol", "echo 'Unable to contact slurm controller' >&2; exit 1");
    await expect(client.nodes()).rejects.toMatchObject({ code: "E_SLURM_UNREACHABLE" });
    await expect(client.nodes()).rejects.toMatchObject({ code: "E_SLURM_UNREACHABLE" });
    expect(await versionsAsked()).toBe(1);
  });

  it("are asked again whatever it was that was not understood", async () => {
    await install2511();
    const client = create();
    await client.release();
    const wrong = "something else";
    const settings = "AccountingStorageType = accounting_storage/slurmdbd";
    await bin.program(
      "scontrol",
      `case "$*" in *config) echo '${settings}' ;; *) echo '${wrong}' ;; esac`,
    );
    for (const tool of ["sacctmgr", "sacct"]) await bin.program(tool, `echo '${wrong}'`);
    const questions = [
      () => client.nodes(),
      () => client.jobs(),
      () => client.partitions(),
      () => client.qos(),
      () => client.history(0),
    ];
    for (const [at, ask] of questions.entries()) {
      await expect(ask()).rejects.toMatchObject({ code: "E_SLURM_SHAPE" });
      await client.release();
      expect(await versionsAsked()).toBe(at + 2);
    }
  });

  it.each(["21.08.5", "25.11.2"])(
    "are asked in the best way of release %s, though the one before printed no JSON",
    async (release) => {
      await bin.answers("sinfo", [["--version", "slurm 24.11.5\n"]]);
      const text = captured("24.11.5", "nodes.txt");
      const words = "scontrol: fatal: JSON plugin load failure";
      const lacking = `case "$*" in *--json) echo '${words}' >&2; exit 1 ;; esac`;
      await bin.program("scontrol", `${lacking}\ncat <<'END'\n${text}\nEND`);
      const client = create();
      expect(await client.nodes()).toHaveLength(7);
      await expect(client.partitions()).rejects.toMatchObject({ code: "E_SLURM_SHAPE" });
      await install2511();
      await bin.answers("sinfo", [["--version", captured(release, "version.txt")]]);
      const before = (await bin.calls()).length;
      expect(await client.nodes()).toHaveLength(7);
      const calls = (await bin.calls()).slice(before);
      expect(calls.includes("--json")).toBe(release === "25.11.2");
    },
  );
});
