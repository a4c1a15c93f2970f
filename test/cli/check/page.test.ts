import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../support/built-cli.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A program in shell and the manifest that makes it the check `odd`, as options of the command. */
async function plugIn(manifest: object, ...lines: readonly string[]): Promise<readonly string[]> {
  const folder = await tempDir();
  await writeFile(join(folder, "odd"), `#!/bin/sh\n${lines.join("\n")}\n`);
  await chmod(join(folder, "odd"), 0o755);
  // JSON is YAML, too.
  const whole = { name: "odd", title: "Bits & <b>pieces</b>", command: ["./odd"], ...manifest };
  await writeFile(join(folder, "tessera.check.yaml"), JSON.stringify(whole));
  return ["--options", JSON.stringify({ plugin: folder })];
}

/** Runs a check and reads the page that it leaves. */
async function pageOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = await tempDir();
  const result = await runCli(["check", "run", ...args, "--html", join(folder, "page.html")], {
    env,
  });
  const names = await readdir(folder);
  const page = names.length === 0 ? "" : await readFile(join(folder, "page.html"), "utf8");
  return { ...result, names, page };
}

const figures = { "a & <b>": { unit: "GB/s", higherIsBetter: true } };
const promised = { figures };

describe("tessera check run --html", () => {
  test("leaves one page beside what it prints, with plots and the result", async () => {
    const args = ["host-compute", "--options", '{"durationMs":1}', "--json"];
    const { code, stdout, names, page } = await pageOf(args);
    expect([code, names]).toEqual([0, ["page.html"]]);
    const { verdict } = JSON.parse(stdout) as { readonly verdict: string };
    expect(page).toContain(`Verdict: ${verdict}`);
    expect(page).toMatch(/^<!doctype html>[\s\S]*<svg[\s\S]*gflops[\s\S]*JSON of the result/);
    expect(page).not.toMatch(/<script|\ssrc=|\shref=/);
  });

  test("leaves the page of a plug-in that proves a fault, its names as text", async () => {
    const said = { figures: { "a & <b>": [1, 2, 3, 4, 5] }, hardFacts: ["gpu 3: <i>lost</i>"] };
    const options = await plugIn(promised, `echo '${JSON.stringify(said)}'`);
    const { code, stdout, page } = await pageOf(["odd", ...options]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("lost")]);
    expect(page).toContain("Verdict: fail");
    expect(page).toContain("gpu 3: &lt;i&gt;lost&lt;/i&gt;");
    expect(page).toContain("a &amp; &lt;b&gt;, sample by sample");
    expect(page).not.toMatch(/<i>|<b>/);
  });

  test.each([
    ["breaks off", promised, ["echo no licence >&2", "exit 4"], "no licence"],
    [
      "cannot run here",
      { ...promised, needs: { programs: ["no-such-program"] } },
      [],
      "no-such-program",
    ],
  ])("leaves files that decide nothing when a check %s", async (_, manifest, lines, why) => {
    const options = await plugIn(manifest, ...lines);
    const junit = join(await tempDir(), "junit.xml");
    const { code, stderr, page } = await pageOf(["odd", ...options, "--junit", junit]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(why)]);
    expect(page).toContain("Verdict: unknown");
    expect(page).toContain(why);
    const cases = await readFile(junit, "utf8");
    expect(cases).toMatch(/<testsuites [^>]*tests="1" failures="0" errors="1"/);
    expect(cases).toContain(why);
  });

  test("leaves no page of a request that was wrong", async () => {
    const { code, names } = await pageOf(["no-such-check"]);
    expect([code, names]).toEqual([2, []]);
  });

  test("leaves the page of a gate, and still prints its one line", async () => {
    const options = JSON.stringify({ gpus: 0, memoryFreeMiB: 1, diskFreeMiB: 0, compute: false });
    const args = ["--profile", "prolog", "--timeout", "100s", "--options", options];
    const { code, stdout, page } = await pageOf(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^tessera: \S+ is good .*\n$/)]);
    expect(page).toContain("A job may start here");
  });

  test("cannot hide what was found where there is no place for the page", async () => {
    const html = ["--html", join(await tempDir(), "no", "page.html")];
    const said = await plugIn({ figures: {} }, `echo '{"figures":{},"hardFacts":["it is lost"]}'`);
    const run = (options: readonly string[]) =>
      runCli(["check", "run", "odd", ...html, ...options]);
    const found = await run(said);
    expect([found.code, found.stdout]).toEqual([1, expect.stringContaining("it is lost")]);
    expect(found.stderr).toContain("a report is missing: Cannot write");
    const good = await run(await plugIn({ figures: {} }, `echo '{"figures":{}}'`));
    expect([good.code, good.stderr]).toEqual([3, expect.stringContaining("E_FILE_WRITE")]);
    const broken = await run(await plugIn({ figures: {} }, "exit 4"));
    expect(broken.code).toBe(3);
    expect(broken.stderr).toMatch(/a report is missing: [\s\S]*E_CHECK_FAILED/);
  });

  test("is not for the job of a run, whose result is handed in", async () => {
    const env = {
      TESSERA_RUN_ID: "run-1",
      TESSERA_RUN_TOKEN: "t",
      TESSERA_NODE: "node-7",
      TESSERA_CLUSTER: "lab",
      TESSERA_PLANNED_AT: "1",
      TESSERA_RUN_TIMEOUT_MS: "1000",
      TESSERA_RESULT_DIR: "/nonexistent",
    };
    const { code, stderr, names } = await pageOf(["host-compute"], env);
    expect([code, stderr, names]).toEqual([2, expect.stringContaining("--html"), []]);
  });
});
