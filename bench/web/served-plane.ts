import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const main = join(resolve(process.env["TESSERA_DIST"] ?? "dist"), "cli", "main.js");

/** The built `tessera up` with a simulated fleet, as a process of its own. */
export interface ServedPlane extends AsyncDisposable {
  readonly url: string;
  readonly cluster: string;
}

/** Why the built product cannot be measured; undefined when it can. */
export async function notBuilt(): Promise<string | undefined> {
  return existsSync(main) ? undefined : `${main} is not built`;
}

/** Starts it and waits until it has seen every node. */
export async function servePlane(fleet: {
  readonly nodes: number;
  readonly speed: number;
}): Promise<ServedPlane> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
  const cluster = "fleet";
  const config = join(folder, "tessera.yaml");
  const entry = { name: cluster, kind: "simulated", seed: "7", ...fleet };
  await writeFile(config, JSON.stringify({ validation: { clusters: [entry] } }));
  const child = spawn(
    process.execPath,
    [main, "up", "--port", "0", "--json", "--config", config, "--data-dir", join(folder, "data")],
    { env: { PATH: process.env["PATH"], HOME: folder }, stdio: ["ignore", "pipe", "ignore"] },
  );
  const end = async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGINT");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await readyUrl(child.stdout);
    await untilSeen(`${url}/api/v1/nodes?limit=1`, fleet.nodes);
    return { url, cluster, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
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

async function untilSeen(list: string, nodes: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(list);
    const { total } = (await answer.json()) as { readonly total?: number };
    if (total === nodes) return;
    await new Promise((wake) => setTimeout(wake, 200));
  }
  throw new Error(`the fleet of ${nodes} nodes was not seen within two minutes`);
}
