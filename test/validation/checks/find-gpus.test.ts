import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findGpus } from "../../../src/validation/checks/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { clock } from "./support.ts";

/** Asks a driver that answers as this shell program says; without one there is none to ask. */
async function ask(program?: string) {
  const folder = await tempDir();
  if (program !== undefined) {
    const path = join(folder, "nvidia-smi");
    await writeFile(path, `#!/bin/sh\n${program}\n`);
    await chmod(path, 0o755);
  }
  const env = { PATH: folder };
  return findGpus({ clock, signal: new AbortController().signal, env });
}

const gpus = "echo 'NVIDIA H200'; echo 'NVIDIA H200'";

describe("the GPUs of this machine", () => {
  test("are listed with who computes on them", async () => {
    const program = `case $1 in *query-gpu*) ${gpus};; *) echo '452, python3'; echo '453, [Not Found]';; esac`;
    expect(await ask(program)).toEqual({
      models: ["NVIDIA H200", "NVIDIA H200"],
      processes: [
        { pid: 452, name: "python3" },
        { pid: 453, name: "[Not Found]" },
      ],
    });
  });

  test("are none where there is no driver to ask", async () => {
    expect(await ask()).toEqual({ models: [], processes: [] });
  });

  test.each([
    [
      "does not answer",
      "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18",
      0,
    ],
    ["does not say who computes", `case $1 in *query-gpu*) ${gpus};; *) exit 9;; esac`, 2],
  ])("are in doubt when the driver %s", async (_, program, count) => {
    const { models, processes, problem } = await ask(program);
    expect([models.length, processes]).toEqual([count, []]);
    expect(problem).toMatch(/^nvidia-smi: .*exit code/);
  });
});
