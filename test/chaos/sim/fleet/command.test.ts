import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chaosFleetCommand } from "../../../../src/cli/commands/chaos-fleet.ts";
import { runHere } from "../../../cli/in-process.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const table = { specs: [chaosFleetCommand], groups: { chaos: "chaos" } };
const fleet = (...args: readonly string[]) => runHere(["chaos", "fleet", ...args], { table });
const small = ["--preset", "rsc1", "--gpus", "512", "--days", "5", "--runs", "2"] as const;

describe("tessera chaos fleet", () => {
  it("puts what was published beside a preset that nobody changed", async () => {
    const { code, stdout } = await fleet("--preset", "rsc1", "--runs", "2");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^SIMULATED ETTR 0\.9\d\d \(/);
    expect(stdout).toContain("published  0.9 ETTR: over 0.9");
    expect(stdout).toContain("spareNodes = 64 nodes");
  });

  it("does not compare what was changed with what was published", async () => {
    for (const more of [
      [],
      ["--policy", "drainThenResume"],
      ["--set", "lemons.share=0.5,stragglers.perThousandNodeDays=0"],
    ]) {
      const { code, stdout } = await fleet(...small, ...more);
      expect({ code, compares: stdout.includes("published  ") }).toEqual({
        code: 0,
        compares: false,
      });
    }
  });

  it("prints JSON with the source of every input and parameter, the same for the same seed", async () => {
    const [one, again, other] = await Promise.all([
      fleet(...small, "--json", "--seed", "7"),
      fleet(...small, "--json", "--seed", "7"),
      fleet(...small, "--json", "--seed", "8"),
    ]);
    expect(one.stdout).toBe(again.stdout);
    expect(one.stdout).not.toBe(other.stdout);
    const document = JSON.parse(one.stdout) as Record<string, unknown>;
    expect(document).toMatchObject({
      source: "simulated",
      gpus: 512,
      nodes: 64,
      runs: [{ end: "horizon", wallS: 5 * 86_400 }, {}],
      inputs: { gpus: { citation: "assumption", note: "changed from 3072" } },
      model: { parameters: { "hardware.perThousandNodeDays": { value: 6.5, citation: "rsc" } } },
    });
  });

  it("writes a page with four plots, each labelled simulated", async () => {
    const file = join(await tempDir(), "fleet.html");
    const { code } = await fleet(...small, "--html", file);
    const html = await readFile(file, "utf8");
    expect(code).toBe(0);
    expect(html.match(/<svg/g)?.length).toBe(4);
    for (const title of ["over time", "not effective", "Causes", "Recovery times"]) {
      expect(html).toContain(title);
    }
    expect(html.match(/simulated/g)?.length).toBeGreaterThan(4);
  });

  it.each([
    [["--gpus", "0"], "A job has a GPU"],
    [["--gpus", "many"], "`--gpus many` is not a number"],
    [["--days", "0"], "days"],
    [["--runs", "0"], "`--runs 0`"],
    [["--replicas", "7"], "cannot be 7 replicas"],
    [["--set", "lemons"], "is not such as"],
    [["--set", "lemon.share=1"], "no parameter lemon.share"],
    [["--interval-s", "0"], "computes between saves"],
    [["--interval-s", "30", "--write-s", "90"], "written before the next one begins"],
    [["--spare-nodes", "200000"], "at most 131072 nodes"],
  ])("refuses %j and says why", async (args, words) => {
    const { code, stderr } = await fleet("--preset", "rsc1", ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
