import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

interface ReportShape {
  readonly sections: readonly {
    readonly items: readonly { readonly name: string; readonly status: string; reason: string }[];
  }[];
}

const itemsOf = (stdout: string) =>
  (JSON.parse(stdout) as ReportShape).sections.flatMap(({ items }) => items);

describe("tessera qa", () => {
  it.each(["rack", "cluster"])("passes on a sound %s", async (suite) => {
    const { code, stdout, stderr } = await runCli(["qa", suite, "--json"], { limitMs: 110_000 });
    expect(stderr).toBe("");
    const items = itemsOf(stdout);
    expect(items.filter(({ status }) => status !== "pass")).toEqual([]);
    expect(items.length).toBeGreaterThan(20);
    expect(code).toBe(0);
  });

  it("fails and names the rank when a device corrupts one element", async () => {
    const junit = join(await tempDir(), "qa.xml");
    const args = ["qa", "rack", "--corrupt", "17:5", "--json", "--junit", junit];
    const { code, stdout } = await runCli(args, { limitMs: 110_000 });
    expect(code).toBe(1);
    const failed = itemsOf(stdout).filter(({ status }) => status === "fail");
    expect(failed.map(({ name }) => name)).toContain("sum of random");
    expect(failed.some(({ reason }) => reason.includes("rank 17 (device 17)"))).toBe(true);
    expect(await readFile(junit, "utf8")).toContain("rank 17 (device 17)");
  });

  it.each([
    ["--corrupt", "72"],
    ["--corrupt", "x"],
    ["--corrupt", "1:2:32"],
    ["--corrupt", "1:2:3:4"],
    ["--slow", "3:0.5"],
    ["--slow", "3"],
  ])("refuses %s %s", async (flag, value) => {
    const { code, stderr } = await runCli(["qa", "rack", flag, value]);
    expect(code).toBe(2);
    expect(stderr).toContain("E_USAGE");
    expect(stderr).toContain(flag);
  });
});
