import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeCheck, prepareCheck } from "../../../src/validation/checks/index.ts";
import { isRunning } from "../../support/is-running.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { executionOf, host } from "./support.ts";

/** A program of a user, in shell. */
async function programOf(...lines: readonly string[]): Promise<string> {
  const path = join(await tempDir(), "my-check");
  await writeFile(path, `#!/bin/sh\n${lines.join("\n")}\n`);
  await chmod(path, 0o755);
  return path;
}

async function runProgram(
  command: readonly string[],
  change: Parameters<typeof executionOf>[0] = {},
  options: Record<string, unknown> = {},
) {
  const how = executionOf(change);
  const prepared = prepareCheck("mine", { command, ...options }, host);
  const { result } = await executeCheck({ ...how, prepared });
  return { result, lines: how.lines };
}

const output =
  '{"figures":{"bw":{"samples":[1,2,null],"higherIsBetter":true,"unit":"GB/s"}},"hardFacts":["a link is down"],"cohort":"fabric 2","facts":{"switch":"s1"}}';

describe("a program of the user's own", () => {
  test("hands in what its last line says; the other lines are its log", async () => {
    const path = await programOf("echo one", "echo two >&2", "echo three", `echo '${output}'`);
    const { result, lines } = await runProgram([path]);
    expect(result).toMatchObject({
      outcome: "completed",
      hardFacts: ["a link is down"],
      cohort: "fabric 2",
      facts: { switch: "s1" },
    });
    expect(result.figures["bw"]?.samples).toEqual([1, 2, Number.NaN]);
    expect(lines.toSorted()).toEqual(["one", "three", "two"]);
  });

  test("gets its arguments as they are: there is no shell", async () => {
    const path = await programOf(
      `printf '{"figures":{},"facts":{"first":"%s","count":%d}}\\n' "$1" $#`,
    );
    const { result } = await runProgram([path, "$(id); a b", "*"]);
    expect(result.facts).toEqual({ first: "$(id); a b", count: 2 });
  });

  test("finds its options and the profile, and no token", async () => {
    process.env["TESSERA_RUN_TOKEN"] = "secret";
    try {
      const path = await programOf(
        `printf '{"figures":{},"facts":{"options":%s,"token":"%s"}}\\n' "$TESSERA_CHECK_OPTIONS" "$TESSERA_RUN_TOKEN"`,
      );
      const { result } = await runProgram([path], {}, { level: 3 });
      expect(result.facts).toEqual({
        options: { command: [path], level: 3, profile: "quick" },
        token: "",
      });
    } finally {
      delete process.env["TESSERA_RUN_TOKEN"];
    }
  });

  test.each([
    ["says nothing", "true", /it wrote nothing to stdout/],
    ["says no JSON", "echo done", /is not JSON: done/],
    ["says another JSON", "echo '[1]'", /is no result/],
    ["says too much", `echo '{"figures":{},"verdict":"pass"}'`, /is no result: .*verdict/],
    ["fails", "echo the cable is out >&2; exit 7", /exit code 7, saying the cable is out/],
    ["is killed", "kill -9 $$", /ended by SIGKILL/],
    ["ends well and then says why not", `echo '${output}'; echo bye`, /is not JSON: bye/],
  ])("that %s is an error, never a result", async (_, line, problem) => {
    const { result } = await runProgram([await programOf(line)]);
    expect(result).toMatchObject({ outcome: "error", figures: {}, hardFacts: [] });
    expect(result.error).toMatch(problem);
  });

  test("that is not there is an error that says so", async () => {
    const { result } = await runProgram(["/nowhere/my-check"]);
    expect(result.error).toMatch(/there is no such program/);
  });

  test("that does not end is ended with all it started", async () => {
    const pidFile = join(await tempDir(), "pid");
    const path = await programOf(`sleep 1000 & echo $! > ${pidFile}`, "wait");
    const { result } = await runProgram([path], { timeoutMs: 1_500 });
    expect(result.outcome).toBe("timeout");
    const pid = Number(await readFile(pidFile, "utf8"));
    await waitUntil("what it had started has ended", () => !isRunning(pid));
  });
});
