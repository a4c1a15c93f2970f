import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../../src/platform/doctor/index.ts";
import { distDir, runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

const ids = [
  "node",
  "store",
  "kubernetes",
  "slurm",
  "gpu-libcuda",
  "gpu-nvml",
  "gpu-cudart",
  "gpu-cublas",
  "gpu-cublaslt",
  "gpu-nvrtc",
  "gpu-nccl",
  "fio",
  "kernel-log",
  "network-namespaces",
  "cgroups",
  "browser",
];

describe("tessera doctor", () => {
  it.each([
    ["the package", join(distDir, "cli", "main.js")],
    ["the single file", join(distDir, "bundle", "tessera.mjs")],
  ])("gives its whole diagnosis as JSON from %s", async (_, script) => {
    const { code, stdout, stderr } = await runCli(["doctor", "--json"], { script });
    const diagnosis = JSON.parse(stdout) as Diagnosis;
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(Object.keys(diagnosis)).toEqual(["version", "host", "findings", "summary"]);
    expect(diagnosis.findings.map(({ id }) => id)).toEqual(ids);
    expect(Object.values(diagnosis.summary).reduce((sum, count) => sum + count, 0)).toBe(
      ids.length,
    );
    for (const { id, state, reason } of diagnosis.findings) {
      // A library that cannot be looked at at all means that the second process did not start.
      if (id.startsWith("gpu-")) expect(reason).not.toContain("could not be looked at");
      if (id === "node" || id === "store") expect(state).toBe("works");
    }
  });

  it("writes plain lines without a terminal, and the same as HTML, Markdown and JUnit", async () => {
    const folder = await tempDir();
    const files = { html: "d.html", markdown: "d.md", junit: "d.xml" };
    const flags = Object.entries(files).flatMap(([format, name]) => [`--${format}`, name]);
    const { code, stdout } = await runCli(["doctor", ...flags], { cwd: folder });
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines[0]).toBe("tessera doctor: this machine");
    expect(lines.filter((line) => line.startsWith("["))).toHaveLength(ids.length);
    expect(lines.at(-1)).toMatch(/^\d+ \w+.*; took /);
    expect(stdout).not.toContain("\u001b");
    for (const name of Object.values(files)) {
      const text = await readFile(join(folder, name), "utf8");
      for (const part of ["Node.js", "Kubernetes", "Network namespaces"]) {
        expect(text).toContain(part);
      }
    }
  });

  it("fails when something required is missing, and says what to do", async () => {
    const folder = await tempDir();
    await writeFile(join(folder, "blocked"), "a file, not a folder");
    const { code, stdout } = await runCli(["doctor", "--json"], {
      cwd: folder,
      env: { TESSERA_STORE_URL: `sqlite:${join(folder, "blocked", "tessera.db")}` },
    });
    const { findings } = JSON.parse(stdout) as Diagnosis;
    expect(findings.find(({ id }) => id === "store")).toMatchObject({ state: "missing" });
    expect(code).toBe(1);
  });

  it("says which report could not be written", async () => {
    const folder = await tempDir();
    const { code, stderr } = await runCli(["doctor", "--html", "no/such/folder.html"], {
      cwd: folder,
    });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain("E_FILE_WRITE");
  });
});
