import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

export const provocations: readonly Provocation[] = [
  {
    code: "E_LOG_INVALID",
    how: "the log to replay is cut off",
    provoke: async ({ cli, tempDir }) => {
      const log = join(tempDir, "fleet.jsonl");
      await writeFile(log, '{"type":"fleet","start":0,"end":');
      return fromCli(await cli(["policy", "replay", log]));
    },
  },
  {
    code: "E_LOG_INVALID",
    how: "an event of the log is on a node that the fleet does not have",
    provoke: async ({ cli, tempDir }) => {
      const log = join(tempDir, "fleet.jsonl");
      const fleet = {
        type: "fleet",
        start: 0,
        end: 100,
        nodes: [{ name: "a", sku: "s", rack: "r", gpus: 8 }],
        checks: [{ name: "x", minutes: 5, sensitivity: {} }],
        limits: { inFlight: 1, gpuHoursPerDay: 10 },
      };
      const lines = [fleet, { type: "free", t: 5, node: "b" }].map((line) => JSON.stringify(line));
      await writeFile(log, lines.join("\n"));
      return fromCli(await cli(["policy", "replay", log]));
    },
  },
];
