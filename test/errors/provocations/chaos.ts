import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { waitUntil } from "../../support/wait-until.ts";
import {
  fromCli,
  fromResponse,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

const experiment = "examples/chaos/kill-gpu.yaml";

/** The example, changed and elsewhere. */
async function changed(folder: string, change: (text: string) => string): Promise<string> {
  const file = join(folder, "experiment.yaml");
  await writeFile(file, change(await readFile(experiment, "utf8")));
  return file;
}

/** A journal whose writer came to another state than this program does: whole, and its digest is right. */
async function ofAnotherProgram(journal: string): Promise<void> {
  const lines = (await readFile(journal, "utf8")).trimEnd().split("\n").slice(0, -1);
  const other = lines
    .map(
      (line) => `${line.replace(/"stateDigest":"sha256:[0-9a-f]+"/, `"stateDigest":"sha256:0"`)}\n`,
    )
    .join("");
  const sha256 = createHash("sha256").update(other).digest("hex");
  await writeFile(journal, `${other}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`);
}

/** Asks a control plane where nothing may wait to begin a job that takes long. */
async function beginLong({ startUp }: ProvocationContext) {
  const { url, token, stop } = await startUp([], { TESSERA_EXPERIMENTS_WAITING: "0" });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const text = (await readFile(experiment, "utf8")).replace("steps: 24", "steps: 1000000");
  const begin = () =>
    fetch(`${url}/api/v1/experiments`, {
      method: "POST",
      headers,
      body: JSON.stringify({ text }),
    });
  const { id } = (await (await begin()).json()) as { readonly id: string };
  return { url, begin, id, headers, stop };
}

/** A simulation leaves its thread to nobody: the server waits for it, and is asked for a change meanwhile. */
async function changeWhileStopping(context: ProvocationContext): Promise<Provoked> {
  const { url, id, headers, stop } = await beginLong(context);
  await waitUntil("it is simulated", async () => {
    const detail = await fetch(`${url}/api/v1/experiments/${id}`, { headers });
    return ((await detail.json()) as { readonly phase: string | null }).phase !== null;
  });
  const stopped = stop();
  const change = () => fetch(`${url}/api/v1/tokens/nobody`, { method: "DELETE", headers });
  let answer = await change();
  while (answer.status === 404) answer = await change();
  const provoked = await fromResponse(answer);
  await stopped;
  return provoked;
}

export const provocations: Provocation[] = [
  {
    code: "E_EXPERIMENT",
    how: "tessera chaos run of a file with a key that no experiment has",
    provoke: async ({ cli, tempDir }) => {
      const file = await changed(tempDir, (text) => text.replace("workload:", "workloads:"));
      return fromCli(await cli(["chaos", "run", file]));
    },
  },
  {
    code: "E_PLAN",
    how: "tessera chaos run of an experiment that hits a rank which the job has not",
    provoke: async ({ cli, tempDir }) => {
      const file = await changed(tempDir, (text) => text.replace("{ rank: 1 }", "{ rank: 99 }"));
      return fromCli(await cli(["chaos", "run", file]));
    },
  },
  {
    code: "E_WORLD",
    how: "tessera chaos run of a command in the simulator, which runs none",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "command.yaml");
      const workload = "workload: { kind: command, command: [sleep, '1'] }";
      await writeFile(file, `title: a command\n${workload}\nlimits: { duration: 1m }\n`);
      return fromCli(await cli(["chaos", "run", file, "--world", "sim"]));
    },
  },
  {
    code: "E_JOURNAL",
    how: "tessera chaos replay of a file that is no journal",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "no.journal");
      await writeFile(file, "{}");
      return fromCli(await cli(["chaos", "replay", file]));
    },
  },
  {
    code: "E_REPLAY",
    how: "tessera chaos replay of a journal whose writer came to another state",
    provoke: async ({ cli, tempDir }) => {
      const journal = join(tempDir, "run.journal");
      await cli(["chaos", "run", resolve(experiment), "--journal", journal]);
      await ofAnotherProgram(journal);
      return fromCli(await cli(["chaos", "replay", journal]));
    },
  },
  {
    code: "E_LEDGER",
    how: "tessera chaos run on this machine when the ledger has no folder to lie in",
    provoke: async ({ cli, tempDir }) => {
      const own = join(tempDir, `tessera-chaos-${process.getuid?.() ?? "user"}`);
      await mkdir(own);
      await writeFile(join(own, "ledgers"), "not a folder");
      const env = { TMPDIR: tempDir };
      return fromCli(await cli(["chaos", "run", resolve(experiment), "--world", "host"], { env }));
    },
  },
  {
    code: "E_EXPERIMENTS_FULL",
    how: "asking for a second experiment where one runs and none may wait",
    provoke: async (context) => {
      const { begin } = await beginLong(context);
      return fromResponse(await begin());
    },
  },
  {
    code: "E_EXPERIMENT_STATE",
    how: "asking for the report of an experiment that is not over",
    provoke: async (context) => {
      const { url, id } = await beginLong(context);
      return fromResponse(await fetch(`${url}/api/v1/experiments/${id}/report`));
    },
  },
  {
    code: "E_STOPPING",
    how: "a change while an experiment keeps the server from ending",
    provoke: changeWhileStopping,
  },
  {
    code: "E_CAMPAIGN",
    how: "tessera chaos campaign with an empty range of runs",
    provoke: async ({ cli }) => fromCli(await cli(["chaos", "campaign", "--range", "5:5"])),
  },
];
