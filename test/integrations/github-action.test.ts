import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../support/temp-dir.ts";
import { actionFolder, readAction, runAction } from "./action.ts";

const example = (name: string) => resolve("examples/chaos", name);
const chaos = (name: string) => ({ command: "chaos", args: `${example(name)}\n--seed\n7` });

describe("the action", () => {
  test("no input becomes text of a script", () => {
    for (const { run = "" } of readAction().runs.steps) expect(run).not.toContain("${{");
  });

  test("every input that a step uses is declared, and every declared one is used", () => {
    const { inputs, runs } = readAction();
    const text = JSON.stringify(runs);
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name = ""]) => name);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(inputs).toSorted());
  });

  test("an experiment that passes lets the job pass, with JUnit, a page, plots and a summary", async () => {
    const result = await runAction(chaos("kill-gpu.yaml"));
    expect(result.code, result.log).toBe(0);
    expect(result.outputs).toMatchObject({ "run.outcome": "pass", "run.exit-code": "0" });
    const files = readdirSync(result.outputs["run.folder"] ?? "");
    expect(files).toEqual(
      expect.arrayContaining(["result.xml", "report.html", "plot-1.svg", "plot-2.svg"]),
    );
    expect(result.summary).toContain("## Tessera: Passed.");
    expect(result.summary).toMatch(/^passed +#+ \d+$/m);
    const plot = readFileSync(join(result.outputs["run.folder"] ?? "", "plot-1.svg"), "utf8");
    expect(plot).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*><style>/);
  });

  test("one that fails fails the job after its reports were kept, unless that is not wanted", async () => {
    const failed = await runAction(chaos("kill-gpu-must-fail.yaml"));
    expect(failed.code).toBe(1);
    expect(failed.outputs["run.outcome"]).toBe("fail");
    expect(failed.summary).toContain("| failed |");
    const kept = await runAction({ ...chaos("kill-gpu-must-fail.yaml"), "fail-on": "never" });
    expect(kept.code).toBe(0);
    expect(kept.log).toContain("::warning::");
  });

  test("two gates of a workflow keep two artefacts, each under a name of its own or the one it is given", async () => {
    const names = await Promise.all(
      [{}, {}, { artifact: "mine" }, { artifact: "" }].map(async (inputs) => {
        const { outputs } = await runAction({ ...chaos("kill-gpu.yaml"), ...inputs });
        return outputs["run.artifact"];
      }),
    );
    expect(names[0]).toMatch(/^tessera-gates-\w+$/);
    expect(names[1]).toMatch(/^tessera-gates-\w+$/);
    expect(names[1]).not.toBe(names[0]);
    expect(names.slice(2)).toEqual(["mine", ""]);
  });

  test("an upload that fails does not hide what was found", async () => {
    const result = await runAction(chaos("kill-gpu-must-fail.yaml"), { uploadFails: true });
    expect(result.code).toBe(1);
    expect(result.log).toContain("::error::Tessera: it failed.");
    const good = await runAction(chaos("kill-gpu.yaml"), { uploadFails: true });
    expect(good.code).toBe(1);
    expect(good.log).not.toContain("::error::");
  });

  test("it installs the version that it belongs to", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(readAction().inputs["version"]?.default).toBe(version);
  });

  test("what could not be decided fails the job, unless a warning is enough", async () => {
    const args = `${example("kill-gpu.yaml")}\n--no-baseline`;
    const strict = await runAction({ command: "chaos", args });
    expect(strict.outputs["run.outcome"], strict.log).toBe("undecided");
    expect(strict.code).toBe(3);
    const mild = await runAction({ command: "chaos", args, undecided: "warn" });
    expect(mild.code).toBe(0);
  });

  test("a check runs, and a wrong command, version, path or choice is refused", async () => {
    const check = await runAction({ command: "check", args: "host-compute\n--profile\nquick" });
    expect(check.outputs["run.outcome"], check.log).toBe("pass");
    const kept = readdirSync(check.outputs["run.folder"] ?? "");
    expect(kept).toEqual(expect.arrayContaining(["result.xml", "report.html", "plot-1.svg"]));
    expect((await runAction({ command: "rm -rf /" })).code).toBe(2);
    expect((await runAction({ command: "check", args: "no-such-check" })).code).toBe(2);
    expect((await runAction({ command: "check", path: "/nowhere" })).code).toBe(2);
    expect((await runAction({ ...chaos("kill-gpu.yaml"), "fail-on": "sometimes" })).code).toBe(2);
    const version = await runAction({ command: "check", path: "", version: "1 || x@file:../evil" });
    expect(version.code).toBe(2);
  });

  test("a check that proves a fault and one that breaks off leave their pages, too", async () => {
    const program = join(await tempDir(), "mine");
    const outcomes = [
      [`echo '{"figures":{},"hardFacts":["the cable is out"]}'`, "fail", 1, "the cable is out"],
      ["echo no licence >&2; exit 4", "undecided", 3, "no licence"],
    ] as const;
    for (const [line, outcome, code, why] of outcomes) {
      await writeFile(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      const args = `mine\n--options\n${JSON.stringify({ command: [program] })}`;
      const result = await runAction({ command: "check", args });
      expect([result.outputs["run.outcome"], result.code], result.log).toEqual([outcome, code]);
      expect(result.summary).toContain(why);
      const page = join(result.outputs["run.folder"] ?? "", "report.html");
      expect(readFileSync(page, "utf8")).toContain(why);
    }
  });

  test("the report of a validation is of the same configuration and cluster, however they were given", async () => {
    const path = join(await tempDir(), "program.mjs");
    await writeFile(path, "console.log(JSON.stringify(process.argv.slice(2)));");
    const reported = async (args: string) => {
      const { log } = await runAction({ command: "validate", path, args });
      return log.split("\n").find((line) => line.startsWith('["report"'));
    };
    expect(await reported("--config=a.yaml\n--cluster\nb")).toMatch(
      /"--config=a.yaml","--cluster","b"\]$/,
    );
    expect(await reported("--cluster=b\n--config")).toMatch(/"--cluster=b"\]$/);
    expect(await reported("")).toMatch(/report.html"\]$/);
  });

  test("arguments are never read by a shell", async () => {
    const args = "$(touch owned)\n`touch owned`\n; touch owned\n* && touch owned";
    const { outputs, log, code } = await runAction({ command: "chaos", args });
    expect(code).toBe(2);
    expect(outputs["run.outcome"], log).toBe("error");
    expect(existsSync(join(outputs["run.folder"] ?? "", "..", "owned"))).toBe(false);
  });
});

const shellcheck = findShellcheck();
const title = shellcheck === undefined ? " (skipped: no shellcheck)" : "";
test.skipIf(shellcheck === undefined)(`shellcheck has nothing to say${title}`, () => {
  const scripts = readdirSync(actionFolder).filter((name) => name.endsWith(".sh"));
  const paths = scripts.map((name) => join(actionFolder, name));
  const { status, stdout } = spawnSync(shellcheck ?? "", paths, { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

/** On the path, or where the package was unpacked into the cache. */
function findShellcheck(): string | undefined {
  const cache = join(homedir(), ".cache", "tessera", "promtool", "sc", "usr", "bin");
  return [...(process.env["PATH"] ?? "").split(delimiter), cache]
    .map((folder) => join(folder, "shellcheck"))
    .find((path) => existsSync(path));
}
