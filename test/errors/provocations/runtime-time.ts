import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

const allReduce = ["collective", "all-reduce", "--devices", "8", "--bytes", "1MiB"];

export const provocations: Provocation[] = [
  {
    code: "E_TOPOLOGY",
    how: "tessera collective with a system that does not exist",
    provoke: async ({ cli }) => fromCli(await cli([...allReduce, "--topology", "gb20-nvl72"])),
  },
  {
    code: "E_TOPOLOGY",
    how: "tessera collective with a topology file that has a wrong field",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "mine.yaml");
      await writeFile(file, "name: mine\nlike: hgx-h100\nlinkGBps: fast\n");
      return fromCli(await cli([...allReduce, "--topology", file]));
    },
  },
  {
    code: "E_ALGORITHM",
    how: "tessera collective with an algorithm the hardware cannot run",
    provoke: async ({ cli }) =>
      fromCli(await cli([...allReduce, "--topology", "mi355x", "--algorithm", "nvls"])),
  },
];
