import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { openHistory } from "../../src/validation/history/index.ts";
import { saveFleetSnapshot } from "../../src/validation/report/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { run, untilMs } from "../validation/report/support.ts";
import { runHere } from "./in-process.ts";

/** A store with a failed and a good node of the cluster `local`. */
async function historyIn(dataDir: string): Promise<void> {
  const store = await openStore({
    url: `sqlite:${join(dataDir, "tessera.db")}`,
    clock: createRealClock(),
  });
  const records = [
    run({ node: "good", check: "host-compute" }),
    run({ node: "bad", check: "host-compute", verdict: "fail", reason: "it computes wrong sums." }),
  ];
  await openHistory(store).recordRuns(
    records.map(({ intent, result, verdict }) => {
      if (result === undefined || verdict === undefined) throw new Error("the run is over");
      const { origin, ...rest } = result;
      return { intent: { ...intent, cluster: "local" }, result: rest, origin, verdict };
    }),
  );
  await saveFleetSnapshot(store, "simulated", {
    atMs: untilMs,
    provenance: "simulated",
    about: "4 nodes x 8 GPUs",
    checks: ["dl-unit"],
    nodes: ["s1", "s2", "s3", "s4"].map((name) => ({
      name,
      sku: "h100",
      rack: "",
      state: "busy" as const,
      why: "",
    })),
  });
  await store.close();
}

const until = new Date(untilMs).toISOString();
const last = ["--until", until, "--since", "7d"];

describe("tessera report", () => {
  const here = async (args: readonly string[], dataDir: string) =>
    await runHere(["report", ...args], { env: { TESSERA_DATA_DIR: dataDir } });
  let dataDir: string;
  beforeAll(async () => {
    // Reading changes nothing, so one history serves all.
    dataDir = await mkdtemp(join(tmpdir(), "tessera-test-"));
    await historyIn(dataDir);
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it("tells each cluster apart on the terminal, and fails when a node failed", async () => {
    const { code, stdout, stderr } = await here(last, dataDir);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/fail +bad +host-compute: it computes wrong sums\./);
    expect(stdout).toMatch(/pass +good +host-compute: within bounds/);
    expect(stdout).toMatch(/not tested +s1 +busy with users' jobs/);
    expect(stdout).toContain("simulated (simulated): summary");
    expect(stdout).toContain("1 fail, 4 not tested, 1 pass");
    expect(code).toBe(1);
  });

  it("gives one cluster alone, and 3 when nothing is known about it", async () => {
    const { code, stdout } = await here([...last, "--cluster", "simulated"], dataDir);
    expect(stdout).not.toContain("local");
    expect(code).toBe(3);
  });

  it("sees only its window", async () => {
    const { stdout } = await here(["--until", "2026-01-01", "--since", "1h"], dataDir);
    expect(stdout).not.toContain("wrong sums");
  });

  it.each([
    ["json", (text: string) => expect(JSON.parse(text)).toMatchObject({ verdict: "fail" })],
    ["md", (text: string) => expect(text).toMatch(/^# Validation report\n/)],
    ["html", (text: string) => expect(text).toMatch(/^<!doctype html>[\s\S]*<svg/)],
    [
      "junit",
      (text: string) =>
        expect(new XMLParser({ ignoreAttributes: false }).parse(text)).toMatchObject({
          testsuites: { "@_tests": "6", "@_failures": "1", "@_skipped": "4" },
        }),
    ],
  ] as const)("writes %s, to stdout and to a file alike", async (format, check) => {
    const { stdout } = await here([...last, "--format", format], dataDir);
    check(stdout);
    const output = join(await tempDir(), "report");
    const { stdout: none, code } = await here(
      [...last, "--format", format, "--output", output],
      dataDir,
    );
    expect([none, code]).toEqual(["", 1]);
    check(await readFile(output, "utf8"));
  });

  it.each([
    [["--since", "yesterday"], "E_USAGE: --since must be a duration such as 24h or 7d, or a date"],
    [["--since", "7"], "E_USAGE: --since must be a duration"],
    [["--since", "2026-02-30"], "E_USAGE: --since names the date 2026-02-30, which does not exist"],
    [
      ["--since", "1h", "--until", "2h", "--since", "0s"],
      "E_USAGE: `since` must lie before `until`",
    ],
    [
      ["--since", "2026-03-02", "--until", "2026-03-01"],
      "E_USAGE: `since` must lie before `until`",
    ],
    [["--format", "pdf"], "E_USAGE"],
    [["--format", "md", "--json"], "E_USAGE: --json and --format md contradict each other"],
    [
      ["--cluster", "lcal"],
      "E_CLUSTER_UNKNOWN: There is no cluster named lcal in the configuration (did you mean `local`?)",
    ],
  ])("refuses %j", async (args, problem) => {
    const { code, stderr } = await here(args, dataDir);
    expect(stderr).toContain(problem);
    expect(code).toBe(2);
  });

  it("says so when there is no history, and makes none", async () => {
    const empty = await tempDir();
    const { code, stderr } = await here([], empty);
    expect(stderr).toContain("E_STORE_MISSING: There is no store at");
    expect(code).toBe(3);
    expect(await readdir(empty)).toEqual([]);
  });
});
