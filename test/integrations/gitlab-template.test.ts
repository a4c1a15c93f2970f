import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { distDir } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

const templateSchema = z.strictObject({
  ".tessera": z.strictObject({
    image: z.string(),
    variables: z.record(z.string(), z.string()),
    allow_failure: z.strictObject({ exit_codes: z.tuple([z.literal(33)]) }),
    script: z.tuple([z.string()]),
    artifacts: z.strictObject({
      when: z.literal("always"),
      expose_as: z.string(),
      paths: z.array(z.string()),
      reports: z.strictObject({ junit: z.string() }),
    }),
  }),
});

const text = readFileSync("integrations/gitlab/tessera.gitlab-ci.yml", "utf8");
const { ".tessera": job } = templateSchema.parse(parse(text, { strict: true, uniqueKeys: true }));

/** Runs the job's script as a runner does, with the built CLI. */
async function runJob(variables: Readonly<Record<string, string>>) {
  const cwd = await tempDir();
  const env = { ...job.variables, GATE_PATH: join(distDir, "cli", "main.js"), ...variables };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", job.script[0]], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: cwd, ...env },
  });
  return { code: status, log: stdout + stderr, cwd };
}

const example = (name: string) => resolve("examples/chaos", name);

describe("the GitLab template", () => {
  test("an experiment that passes lets the job pass and leaves what the artefacts name", async () => {
    const args = `${example("kill-gpu.yaml")}\n--gate\nrecoverySeconds <= 30`;
    const { code, log, cwd } = await runJob({ GATE_COMMAND: "chaos", GATE_ARGS: args });
    expect(code, log).toBe(0);
    expect(existsSync(join(cwd, job.artifacts.reports.junit))).toBe(true);
    const kept = readdirSync(join(cwd, "tessera-report"));
    expect(kept).toEqual(expect.arrayContaining(["report.html", "plot-1.svg", "summary.md"]));
    const summary = readFileSync(join(cwd, "tessera-report", "summary.md"), "utf8");
    expect(summary).toContain("## Tessera: Passed.");
  });

  test("a check leaves its page, its plots and its cases", async () => {
    const args = 'host-compute\n--options\n{"durationMs": 1}';
    const { code, log, cwd } = await runJob({ GATE_COMMAND: "check", GATE_ARGS: args });
    expect(code, log).toBe(0);
    const kept = readdirSync(join(cwd, "tessera-report"));
    expect(kept).toEqual(expect.arrayContaining(["result.xml", "report.html", "plot-1.svg"]));
    const page = readFileSync(join(cwd, "tessera-report", "report.html"), "utf8");
    expect(page).toContain("Check host-compute (standard)");
  });

  test("a failure that is only to be reported is a warning, and what it may be is fixed", async () => {
    const failing = { GATE_COMMAND: "chaos", GATE_ARGS: example("kill-gpu-must-fail.yaml") };
    expect((await runJob({ ...failing, GATE_FAIL_ON: "never" })).code).toBe(33);
    expect((await runJob({ ...failing, GATE_FAIL_ON: "sometimes" })).code).toBe(2);
    expect((await runJob({ ...failing, GATE_UNDECIDED: "sometimes" })).code).toBe(2);
  });

  test("the page of a validation is of the same configuration and cluster, however they were given", async () => {
    const program = join(await tempDir(), "program.mjs");
    writeFileSync(program, "console.log(JSON.stringify(process.argv.slice(2)));");
    const reported = async (GATE_ARGS: string) => {
      const { log } = await runJob({ GATE_COMMAND: "validate", GATE_PATH: program, GATE_ARGS });
      return log.split("\n").find((line) => line.startsWith('["report"'));
    };
    expect(await reported("--config=a b.yaml\n--once\n--cluster\nb")).toMatch(
      /report.html","--config=a b.yaml","--cluster","b"\]$/,
    );
    expect(await reported("--cluster=b\n--config")).toMatch(/report.html","--cluster=b"\]$/);
    expect(await reported("")).toMatch(/report.html"\]$/);
  });

  test("it installs the version that it belongs to", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(job.variables["GATE_VERSION"]).toBe(version);
  });

  test("one that fails fails the job; undecided fails it too, unless a warning is enough", async () => {
    const failing = example("kill-gpu-must-fail.yaml");
    expect((await runJob({ GATE_COMMAND: "chaos", GATE_ARGS: failing })).code).toBe(1);
    const open = { GATE_COMMAND: "chaos", GATE_ARGS: `${example("kill-gpu.yaml")}\n--no-baseline` };
    expect((await runJob(open)).code).toBe(3);
    expect((await runJob({ ...open, GATE_UNDECIDED: "warn" })).code).toBe(33);
  });

  test("arguments with line ends of Windows are the same arguments", async () => {
    const args = `${example("kill-gpu.yaml")}\r\n--no-baseline\r\n`;
    const { code, log } = await runJob({ GATE_COMMAND: "chaos", GATE_ARGS: args });
    expect(code, log).toBe(3);
  });

  test("a program is a file of the project, never one of the same name elsewhere", async () => {
    const { code, log } = await runJob({ GATE_COMMAND: "check", GATE_PATH: "true" });
    expect({ code, log }).toEqual({ code: 2, log: "There is no program at GATE_PATH\n" });
  });

  test("what is not a command or a version is refused, and arguments are never read by a shell", async () => {
    expect((await runJob({ GATE_COMMAND: "rm -rf /" })).code).toBe(2);
    expect((await runJob({ GATE_PATH: "", GATE_VERSION: "x@file:../evil" })).code).toBe(2);
    const args = "$(touch owned)\n`touch owned`\n; touch owned";
    const { code, cwd } = await runJob({ GATE_COMMAND: "chaos", GATE_ARGS: args });
    expect(code).toBe(2);
    expect(existsSync(join(cwd, "owned"))).toBe(false);
  });
});
