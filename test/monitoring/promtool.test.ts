import { spawnSync } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { startPlane } from "../control/support.ts";
import { tempDir } from "../support/temp-dir.ts";

const promtool = findPromtool();
const title =
  promtool === undefined ? " (skipped: no promtool; Debian has it in `prometheus`)" : "";

function call(args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const result = spawnSync(promtool ?? "", args, { encoding: "utf8", ...options });
  return { code: result.status, text: result.stdout + result.stderr };
}

/** On the path, or where the package was unpacked into the cache. */
function findPromtool(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const cache = join(homedir(), ".cache", "tessera", "promtool", "x", "usr", "bin");
  return [...folders, cache]
    .map((folder) => join(folder, "promtool"))
    .find((path) => spawnSync(path, ["--version"]).status === 0);
}

describe.skipIf(promtool === undefined)(`promtool${title}`, () => {
  const cwd = "deploy/monitoring";

  test("takes the rules, and they fire when they should and only then", () => {
    expect(call(["check", "rules", "alerts.yaml"], { cwd })).toMatchObject({ code: 0 });
    expect(call(["test", "rules", "alerts.test.yaml"], { cwd })).toMatchObject({ code: 0 });
  });

  test("notices a rule that no longer fires", async () => {
    const folder = await tempDir();
    await copyFile(join(cwd, "alerts.test.yaml"), join(folder, "alerts.test.yaml"));
    const rules = await readFile(join(cwd, "alerts.yaml"), "utf8");
    const blunt = rules.replace(
      "tessera_hardware_faults_left) > 0",
      "tessera_hardware_faults_left) > 9",
    );
    expect(blunt).not.toBe(rules);
    await writeFile(join(folder, "alerts.yaml"), blunt);
    expect(call(["test", "rules", "alerts.test.yaml"], { cwd: folder }).code).toBe(1);
  });

  test("takes the metrics of a running control plane", async () => {
    await using plane = await startPlane();
    const { text } = await plane.call("GET", "/metrics", { token: plane.token });
    expect(text).toContain("tessera_build_info");
    expect(call(["check", "metrics"], { input: text })).toEqual({ code: 0, text: "" });
  });
});
