import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Journal, journalText } from "../../../src/chaos/journal/index.ts";
import { simRun } from "../../chaos/journal/lib/sim-run.ts";
import { smallPlan } from "../../chaos/journal/lib/small-plan.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { runChaos } from "./table.ts";

let journal: Journal;

beforeAll(async () => {
  ({ journal } = await simRun(smallPlan()));
});

async function file(content: string): Promise<string> {
  const path = join(await tempDir(), "run.journal");
  await writeFile(path, content);
  return path;
}

describe("tessera chaos replay", () => {
  it("reproduces a run bit for bit", async () => {
    const { code, stdout, stderr } = await runChaos("replay", await file(journalText(journal)));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("came out the same");
    expect(stdout).toContain(journal.record.traceHash);
  });

  it("says the same for programs", async () => {
    const path = await file(journalText(journal));
    const { code, stdout } = await runChaos("replay", path, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      same: true,
      traceHash: journal.record.traceHash,
      stateDigest: journal.record.stateDigest,
      differences: [],
    });
  });

  it("fails when it comes out otherwise, and says how", async () => {
    const record = { ...journal.record, stateDigest: "sha256:0" };
    const path = await file(journalText({ ...journal, record }));
    const { code, stderr } = await runChaos("replay", path);
    expect(code).toBe(1);
    expect(stderr).toContain("E_REPLAY");
    expect(stderr).toContain("state digest sha256:0 became");
    expect(stderr).not.toContain("event ");
    const json = await runChaos("replay", path, "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      same: false,
      differences: [{ what: "state digest", journal: "sha256:0" }],
    });
  });

  it("says that another version wrote it", async () => {
    const tool = { tessera: "0.0.1", node: process.versions.node };
    const { code, stderr } = await runChaos(
      "replay",
      await file(journalText({ ...journal, tool })),
    );
    expect(code).toBe(0);
    expect(stderr).toContain("written by Tessera 0.0.1");
  });

  it("refuses a journal that is cut, and a file that is none", async () => {
    const path = await file(journalText(journal).slice(0, -20));
    const { code, stderr } = await runChaos("replay", path);
    expect(code).toBe(2);
    expect(stderr).toContain("E_JOURNAL");
    expect((await runChaos("replay", await file("title: x\n"))).stderr).toContain("E_JOURNAL");
    expect((await runChaos("replay", "/nonexistent")).stderr).toContain("E_FILE_READ");
    expect(await readFile(path, "utf8")).not.toBe("");
  });
});
