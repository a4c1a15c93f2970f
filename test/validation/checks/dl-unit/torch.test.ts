import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../../../src/platform/process/index.ts";
import {
  readTorchLine,
  reportOfLines,
  type TorchLine,
} from "../../../../src/validation/checks/dl-unit/torch/read-lines.ts";
import { torchScript } from "../../../../src/validation/checks/dl-unit/torch/script.ts";
import { missing } from "../../../support/missing.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { clock } from "../support.ts";
import { runDlUnit } from "./support.ts";

const device = { name: "gpu 0", index: 0, model: "NVIDIA H200", uuid: "GPU-1" };
const versions = { torch: "2.11.0", cuda: "13.0", cudnn: "91300" };
const caseLine = (digest: string, problems: readonly object[] = []) => ({
  kind: "case",
  case: {
    name: "torch-gemm",
    key: "torch-gemm 64x64x64 f32",
    round: 0,
    styles: ["repeat", "golden", "exact"],
    problems,
    digests: { output: digest },
    figures: { torch_gemm_ms: { samples: [1, 1.1], unit: "ms", higherIsBetter: false } },
    wallMs: 12,
  },
});

/** A program in the place of python3 that writes these lines, and ends as told. */
async function pythonThatSays(lines: readonly object[], exitCode = 0): Promise<string> {
  const folder = await tempDir();
  const said = lines.map((line) => `echo '${JSON.stringify(line)}'`);
  const script = ["#!/bin/sh", '[ "$1" = -c ] && exit 0', ...said, `exit ${exitCode}`];
  await writeFile(join(folder, "python3"), script.join("\n"));
  await chmod(join(folder, "python3"), 0o755);
  return folder;
}

const runWith = async (folder: string) =>
  await runDlUnit({ engine: "torch" }, { env: { PATH: folder } });

describe("the engine torch", () => {
  const begin = { kind: "device", device, versions };
  const done = { kind: "done" };

  it("puts what the script says together like any other engine's", async () => {
    const { result } = await runWith(await pythonThatSays([begin, caseLine("sha256:1"), done]));
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(result.figures["torch_gemm_ms.gpu0"]?.samples).toEqual([1, 1.1]);
    expect(result.facts).toMatchObject({
      engine: "torch",
      softwareKey: "torch engine 1, NVIDIA H200, torch 2.11.0, cuda 13.0, cudnn 91300",
      digests: { "torch-gemm 64x64x64 f32 output": "sha256:1" },
    });
  });

  it("makes a problem that the script found a hard fact with its device", async () => {
    const problem = { style: "exact", text: "3 elements are wrong" };
    const lines = [begin, caseLine("sha256:1", [problem]), done];
    const { result } = await runWith(await pythonThatSays(lines));
    expect(result.hardFacts).toEqual([
      "gpu 0 (GPU-1): torch-gemm 64x64x64 f32: 3 elements are wrong",
    ]);
  });

  it("is an error when the script breaks off, or when there is no PyTorch or no python3", async () => {
    const broken = await runWith(await pythonThatSays([begin, caseLine("sha256:1")], 1));
    expect(broken.result.outcome).toBe("error");
    expect(broken.result.error).toContain("device 0 did not come to its end");
    const silent = await runWith(await pythonThatSays([begin, caseLine("sha256:1")], 0));
    expect(silent.result.outcome).toBe("error");
    const none = await runDlUnit({ engine: "torch" }, { env: { PATH: await tempDir() } });
    expect(none.result.error).toContain("needs python3, and there is none");
  });

  it("reads its own lines, and passes over what libraries print", () => {
    expect(readTorchLine("Warning: something")).toBeUndefined();
    expect(readTorchLine('{"kind":"else"}')).toBeUndefined();
    expect(readTorchLine("{broken")).toBeUndefined();
    const lines = [begin, done].map((line) => readTorchLine(JSON.stringify(line)));
    const read = lines.filter((line): line is TorchLine => line !== undefined);
    expect(reportOfLines(read)?.device).toEqual(device);
    expect(reportOfLines(read.slice(0, 1))).toBeUndefined();
  });

  const noPython = missing("python3");
  it.skipIf(noPython !== "")(`has a script that Python can parse${noPython}`, async () => {
    const program = "import sys; compile(sys.stdin.read(), 'script', 'exec')";
    const options = { clock, timeoutMs: 30_000, input: torchScript };
    const { exitCode, stderr } = await runProcess("python3", ["-c", program], options);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });
});
