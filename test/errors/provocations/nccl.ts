import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

export const provocations: readonly Provocation[] = [
  {
    code: "E_NCCL_OUTPUT",
    how: "importing a file that nccl-tests did not write",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "run.log");
      await writeFile(file, "Segmentation fault\n");
      return fromCli(await cli(["nccl", "import", file]));
    },
  },
];
