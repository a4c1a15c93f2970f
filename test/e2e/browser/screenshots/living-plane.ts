import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../../scripts/lib/repository.ts";
import { waitUntil } from "../../../support/wait-until.ts";

/** A control plane in which much has happened. */
export interface LivingPlane extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** A node that failed. */
  readonly failedNode: string;
  /** The run that says so. */
  readonly failedRun: string;
  /** One of this machine, which has a log. */
  readonly loggedRun: string;
  /** One that failed and was made as small as can be. */
  readonly experiment: string;
}

const config = {
  validation: {
    clusters: [
      {
        name: "gpu-sim",
        kind: "simulated",
        nodes: 512,
        gpusPerNode: 8,
        speed: 6000,
        seed: "11",
        limits: { gpuHoursPerDay: 960, inFlight: 24 },
        act: { mode: "on" },
      },
      { name: "local", kind: "local", limits: { cooldown: 0 } },
    ],
  },
};

const waitMs = 240_000;

/** Starts it and waits until nodes were judged, one failed, and experiments have ended. */
export async function startLivingPlane(folder: string): Promise<LivingPlane> {
  const file = join(folder, "tessera.yaml");
  await writeFile(file, JSON.stringify(config));
  const dataDir = join(folder, "data");
  const main = join(root, "dist", "cli", "main.js");
  const args = [main, "up", "--port", "0", "--json", "--config", file, "--data-dir", dataDir];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], HOME: folder },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const end = async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGINT");
    await ended;
  };
  try {
    const url = await readyUrl(child.stdout);
    const token = (await readFile(join(dataDir, "admin-token"), "utf8")).trim();
    const api = createApi(url, token);
    const experiment = await runExperiments(api);
    await call(api, "POST", "tokens", { name: "ci", role: "operate", expiresIn: "30d" });
    const failed = await untilFailed(api);
    const loggedRun = await untilLogged(api);
    return { url, token, ...failed, loggedRun, experiment, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

type Api = (method: string, path: string, body?: object) => Promise<unknown>;

function createApi(url: string, token: string): Api {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return await response.json();
  };
}

async function call<T>(api: Api, method: string, path: string, body?: object): Promise<T> {
  return (await api(method, path, body)) as T;
}

async function readyUrl(stdout: AsyncIterable<Buffer>): Promise<string> {
  let told = "";
  for await (const chunk of stdout) {
    told += chunk.toString();
    const [, url] = /"url":"([^"]+)"/.exec(told) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the control plane did not start: ${told}`);
}

/** The examples, one after the other; the failing one is made smaller. */
async function runExperiments(api: Api): Promise<string> {
  const files = ["partition-group", "ecc", "kill-gpu", "kill-gpu-must-fail"];
  let last = "";
  for (const name of files) {
    const text = await readFile(join(root, "examples", "chaos", `${name}.yaml`), "utf8");
    const { id } = await call<{ readonly id: string }>(api, "POST", "experiments", { text });
    await waitUntil(
      `the experiment ${name} has ended`,
      async () =>
        (await call<{ readonly state: string }>(api, "GET", `experiments/${id}`)).state ===
        "finished",
      { timeoutMs: waitMs },
    );
    last = id;
  }
  await call(api, "POST", `experiments/${last}/minimise`, {});
  await waitUntil(
    "the smallest reproducer is known",
    async () => {
      const path = `experiments/${last}`;
      const { reproducer } = await call<{ readonly reproducer: { readonly state: string } }>(
        api,
        "GET",
        path,
      );
      return reproducer.state === "done";
    },
    { timeoutMs: waitMs },
  );
  return last;
}

async function untilLogged(api: Api): Promise<string> {
  let found: string | undefined;
  await waitUntil(
    "a check of this machine has completed",
    async () => {
      const path = "runs?cluster=local&outcome=completed&limit=1";
      const { runs } = await call<{ readonly runs: readonly { readonly id: string }[] }>(
        api,
        "GET",
        path,
      );
      found = runs[0]?.id;
      return found !== undefined;
    },
    { timeoutMs: waitMs },
  );
  if (found === undefined) throw new Error("nothing ran here");
  return found;
}

async function untilFailed(api: Api): Promise<Pick<LivingPlane, "failedNode" | "failedRun">> {
  let found: Pick<LivingPlane, "failedNode" | "failedRun"> | undefined;
  await waitUntil(
    "nodes have failed and hundreds were judged",
    async () => {
      const path = "runs?cluster=gpu-sim&verdict=fail&limit=1";
      const { runs } = await call<{
        readonly runs: readonly { readonly id: string; readonly node: string }[];
      }>(api, "GET", path);
      const [run] = runs;
      const tested = "nodes?cluster=gpu-sim&standing=pass,fail,warn,suspect&limit=1";
      const { total } = await call<{ readonly total: number }>(api, "GET", tested);
      found = run === undefined ? undefined : { failedNode: run.node, failedRun: run.id };
      return found !== undefined && total > 400;
    },
    { timeoutMs: waitMs },
  );
  if (found === undefined) throw new Error("no node failed");
  return found;
}
