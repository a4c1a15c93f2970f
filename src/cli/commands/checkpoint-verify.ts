import type { CommandSpec } from "../command-spec.ts";

export const checkpointVerifyCommand: CommandSpec = {
  name: "checkpoint verify",
  summary: "judge every file of a checkpoint, of a folder of them, or of safetensors files",
  description:
    "Reads what lies at the path and judges each file: of a checkpoint its COMMIT, its manifest, the headers and the SHA-256 of every piece of every tensor; of safetensors files that others wrote, all the rules of the format. Each refusal names the file, the tensor and the rule. Nothing is changed. Exit code 0 when all is good, 1 when a file is bad or there is none to judge, 2 when there is no such path.",
  arguments: [
    {
      name: "<path>",
      description: "a safetensors file, a checkpoint, or a folder of either",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera checkpoint verify runs/step100",
      shows: "whether every byte is as it was saved",
    },
    {
      command: "tessera checkpoint verify model.safetensors --json",
      shows: "the same of a file that others wrote: { ok, files: [{ path, ok, error? }] }",
    },
  ],
  load: () => import("../actions/checkpoint-verify.ts"),
};
