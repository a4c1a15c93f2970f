import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import type { CommandSpec } from "../../src/cli/command-spec.ts";
import { reporterFor } from "../../src/cli/reporter.ts";
import { exitCodes } from "../../src/platform/errors/index.ts";
import type { Report } from "../../src/platform/reporters/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { oneCommand, runHere } from "./in-process.ts";

const item = { name: "disk", status: "fail", reason: "It is full.", facts: [] } as const;
const report: Report = {
  title: "Look",
  subject: "here",
  startedAtMs: 0,
  durationMs: 1,
  notes: [],
  sections: [{ title: "All", items: [item] }],
  plots: [],
};
const look: Partial<CommandSpec> = {
  name: "look",
  load: async () => ({
    run: async (invocation) => {
      const reporter = reporterFor(invocation);
      reporter.onBegin({ title: "Look", subject: "here", itemsTotal: 1 });
      reporter.onItemEnd({ id: "1", item });
      await reporter.onEnd(report);
      return exitCodes.failed;
    },
  }),
};
const { table } = oneCommand(look);

describe("where a report goes", () => {
  test("without options it is plain text without colours on stdout", async () => {
    const { code, stdout, stderr } = await runHere(["look"], { table });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("It is full.");
    expect(stdout).not.toContain("\u001B[");
  });

  test("FORCE_COLOR colours it, --no-color does not let it", async () => {
    const env = { FORCE_COLOR: "1" };
    expect((await runHere(["look"], { table, env })).stdout).toContain("\u001B[");
    expect((await runHere(["look", "--no-color"], { table, env })).stdout).not.toContain("\u001B[");
  });

  test("--json makes stdout one JSON document", async () => {
    const { stdout, stderr } = await runHere(["look", "--json"], { table });
    expect(JSON.parse(stdout)).toMatchObject({ title: "Look", verdict: "fail" });
    expect(stderr).toBe("");
  });

  test("a command with a JSON shape of its own keeps stdout for it", async () => {
    const own = oneCommand({
      load: async () => ({
        run: async (invocation) => {
          await reporterFor(invocation, { ownJson: true }).onEnd(report);
          return exitCodes.good;
        },
      }),
    });
    expect((await runHere(["go", "--json"], own)).stdout).toBe("");
    expect((await runHere(["go"], own)).stdout).not.toBe("");
  });

  test("--junit writes a file besides", async () => {
    const file = join(await tempDir(), "junit.xml");
    const { stdout } = await runHere(["look", "--junit", file], { table });
    expect(stdout).toContain("It is full.");
    const parsed = new XMLParser().parse(await readFile(file, "utf8")) as object;
    expect(parsed).toHaveProperty("testsuites");
  });

  test("a file that cannot be written is an error, after the result was shown", async () => {
    const { code, stdout, stderr } = await runHere(["look", "--junit", "/nonexistent/x"], {
      table,
    });
    expect(stdout).toContain("It is full.");
    expect(stderr).toMatch(/^E_FILE_WRITE: /);
    expect(code).toBe(3);
  });

  test("--junit is refused where there is no report", async () => {
    const { code, stderr } = await runHere(["explain", "--junit", "x.xml"]);
    expect(code).toBe(2);
    expect(stderr).toContain("`--junit` needs a report, and this command makes none");
  });
});
