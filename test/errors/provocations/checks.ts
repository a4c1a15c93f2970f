import { join } from "node:path";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { ensureRunSecret, resultPath, runToken } from "../../../src/validation/collect/index.ts";
import { fromCli, fromResponse, type Provocation } from "../provocation.ts";

const runId = "0123456789abcdef0123";

/** What the loop tells the job of a run. */
const jobEnv = {
  TESSERA_RUN_ID: runId,
  TESSERA_RUN_TOKEN: "t0k3n",
  TESSERA_NODE: "node-7",
  TESSERA_CHECK: "nonsense",
  TESSERA_CLUSTER: "lab",
  TESSERA_PLANNED_AT: "1736367000",
  TESSERA_RUN_TIMEOUT_MS: "1000",
};

/** The token of a run that this control plane has planned, or would have. */
async function tokenFrom(dataDir: string): Promise<string> {
  const url = `sqlite:${join(dataDir, "tessera.db")}`;
  const store = await openStore({ url, clock: createRealClock() });
  try {
    return runToken(await ensureRunSecret(store), runId);
  } finally {
    await store.close();
  }
}

export const provocations: Provocation[] = [
  {
    code: "E_CHECK_UNKNOWN",
    how: "runs a check that is not in the catalogue",
    provoke: async ({ cli }) => fromCli(await cli(["check", "run", "host-computer"])),
  },
  {
    code: "E_PLUGIN_INVALID",
    how: "names a manifest that is not there",
    provoke: async ({ cli }) =>
      fromCli(await cli(["check", "run", "mine", "--options", '{"plugin":"/nowhere/mine"}'])),
  },
  {
    code: "E_CHECK_OPTIONS",
    how: "gives a check an option it does not have",
    provoke: async ({ cli }) =>
      fromCli(await cli(["check", "run", "host-compute", "--options", '{"speed":"high"}'])),
  },
  {
    code: "E_CHECK_UNAVAILABLE",
    how: "runs a check that needs what this machine does not have",
    provoke: async ({ cli }) =>
      fromCli(await cli(["check", "run", "storage-io"], { env: { PATH: "/nowhere" } })),
  },
  {
    code: "E_CHECK_FAILED",
    how: "runs a program of their own that fails",
    provoke: async ({ cli }) =>
      fromCli(await cli(["check", "run", "mine", "--options", '{"command":["false"]}'])),
  },
  {
    code: "E_RUN_ENVIRONMENT",
    how: "starts a job without telling it everything",
    provoke: async ({ cli }) =>
      fromCli(await cli(["check", "run"], { env: { TESSERA_RUN_ID: runId } })),
  },
  {
    code: "E_HAND_IN_FAILED",
    how: "lets a job write its result where nothing can be written",
    provoke: async ({ cli }) => {
      const env = { ...jobEnv, TESSERA_RESULT_DIR: "/dev/null/logs" };
      const { stderr, ...result } = await cli(["check", "run"], { env });
      // Before the error stand the lines of the run's log.
      return fromCli({ ...result, stderr: stderr.slice(stderr.indexOf("E_HAND_IN_FAILED")) });
    },
  },
  {
    code: "E_RUN_TOKEN_REFUSED",
    how: "posts a result with another token than the run's",
    provoke: async ({ startUp }) => {
      const { url, token } = await startUp();
      const headers = { authorization: `Bearer ${token}` };
      return fromResponse(
        await fetch(`${url}${resultPath(runId)}`, { method: "POST", headers, body: "{}" }),
      );
    },
  },
  {
    code: "E_RESULT_INVALID",
    how: "posts half a result",
    provoke: async ({ startUp }) => {
      const { url, dataDir } = await startUp();
      const headers = { authorization: `Bearer ${await tokenFrom(dataDir)}` };
      const body = '{"format":"tessera.run-result/1","runId":"012';
      return fromResponse(
        await fetch(`${url}${resultPath(runId)}`, { method: "POST", headers, body }),
      );
    },
  },
];
