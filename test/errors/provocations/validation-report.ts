import { fromCli, type Provocation } from "../provocation.ts";

export const provocations: readonly Provocation[] = [
  {
    code: "E_CLUSTER_UNKNOWN",
    how: "a report on a cluster that the configuration does not have",
    provoke: async ({ cli }) => fromCli(await cli(["report", "--cluster", "gpu-prd"])),
  },
  {
    code: "E_STORE_MISSING",
    how: "a report before anything was validated",
    provoke: async ({ cli, tempDir }) =>
      fromCli(await cli(["report"], { env: { TESSERA_DATA_DIR: tempDir } })),
  },
];
