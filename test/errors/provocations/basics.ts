import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

export const provocations: readonly Provocation[] = [
  {
    code: "E_FILE_READ",
    how: "the file with the token is not there",
    provoke: async ({ cli, tempDir }) => {
      const TESSERA_SERVER_TOKEN_FILE = join(tempDir, "none");
      const env = { TESSERA_DATA_DIR: tempDir, TESSERA_SERVER_TOKEN_FILE };
      return fromCli(await cli(["up", "--port", "0"], { env }));
    },
  },
  {
    code: "E_FILE_WRITE",
    how: "a file is in the way of the data folder",
    provoke: async ({ cli, tempDir }) => {
      const TESSERA_DATA_DIR = join(tempDir, "file");
      await writeFile(TESSERA_DATA_DIR, "");
      return fromCli(await cli(["up", "--port", "0"], { env: { TESSERA_DATA_DIR } }));
    },
  },
];
