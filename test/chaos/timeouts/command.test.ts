import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chaosLintTimeoutsCommand } from "../../../src/cli/commands/chaos-lint-timeouts.ts";
import { runHere } from "../../cli/in-process.ts";
import { tempDir } from "../../support/temp-dir.ts";

const table = { specs: [chaosLintTimeoutsCommand], groups: { chaos: "chaos" } };

async function linted(text: string, ...more: readonly string[]) {
  const file = join(await tempDir(), "t.yaml");
  await writeFile(file, text);
  const outcome = await runHere(["chaos", "lint-timeouts", file, ...more], { table });
  return { ...outcome, stdout: outcome.stdout.replaceAll(file, "t.yaml") };
}

describe("tessera chaos lint-timeouts", () => {
  it("ends with 0 when all fit", async () => {
    const { code, stdout } = await linted("heartbeat: 2s\ncollective: 5s\n");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "t.yaml: 1 pair of timeouts compared, all fit.\n",
    });
  });

  it("ends with 1 and says what does not fit, where, why and what to set", async () => {
    const { code, stdout } = await linted("heartbeat: 9s\ncollective: 5s\n");
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      "t.yaml:2: heartbeat 9 s does not fit into collective 5 s [silence-before-complaint]",
      expect.stringContaining("the wrong one may be blamed"),
      "  set collective to more than 9 s, or heartbeat to less than 5 s",
      "1 of 1 pair of timeouts do not fit.",
      "",
    ]);
  });

  it("judges what an experiment leaves out by its defaults", async () => {
    const { code, stdout } = await linted("workload: {}\ntimeouts:\n  collective: 1s\n");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "t.yaml:3: heartbeat 2 s (the default) does not fit into collective 1 s",
    );
    expect((await linted("workload: {}\n")).code).toBe(0);
  });

  it("prints JSON for programs", async () => {
    const { stdout } = await linted("heartbeat: 9s\ncollective: 5s\n", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      compared: 1,
      findings: [{ inner: { name: "heartbeat", seconds: 9, line: 1 }, outer: { line: 2 } }],
    });
  });

  it("ends with 3 when nothing could be compared, and with 2 for a file that is none", async () => {
    expect((await linted("heartbeat: 9s\n")).code).toBe(3);
    expect((await linted("heartbeat: soon\n")).code).toBe(2);
  });
});
