import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const version = "4.1.1";
const installTimeoutMs = 100_000;
const runTimeoutMs = 600_000;

const program = join(import.meta.dirname, "simpy-job.py");

/** How a job waits for others: as SimPy's guide has it, or as Tessera does. See `simpy-job.py`. */
export type Waiting = "usual" | "tuned";

export interface PeerRun {
  readonly tookMs: number;
  readonly cpuMs: number;
  /** When the job ended, in simulated time. */
  readonly endUs: number;
  /** How many events of each kind there were. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface SimPyPeer {
  readonly version: string;
  /** Simulates the job whose figures and random numbers are in a folder. */
  run(folder: string, waiting: Waiting): Promise<PeerRun>;
}

/** SimPy, put into the user's cache the first time; or why it cannot be had here. */
export async function findSimPy(): Promise<SimPyPeer | string> {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const packages = join(cache, "tessera", "python", `simpy-${version}`);
  const env = { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" };
  try {
    if (!existsSync(packages)) await install(packages);
    await run("python3", ["-c", "import simpy"], { env });
  } catch (error) {
    const [line = ""] = String(error).trim().split("\n").slice(-1);
    return `SimPy ${version} cannot be installed here: ${line.slice(0, 120)}`;
  }
  return {
    version,
    run: async (folder, waiting) => {
      const args = [program, join(folder, "model.json"), join(folder, "draws"), waiting];
      const { stdout } = await run("python3", args, { env, timeout: runTimeoutMs });
      return JSON.parse(stdout) as PeerRun;
    },
  };
}

/** Beside its place first, so that nobody finds half of it. */
async function install(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    const options = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "10"];
    const args = ["-m", "pip", "install", ...options, "--target", unfinished, `simpy==${version}`];
    await run("python3", args, { timeout: installTimeoutMs });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
