import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliResult, type RunningCli, startCli } from "./built-cli.ts";

export interface RunningUp {
  /** The address without a slash at its end. */
  readonly url: string;
  /** The administrator's token. */
  readonly token: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Stops it as Ctrl-C does and tells how it ended. Doing it twice is harmless. */
  stop(): Promise<CliResult>;
}

// One may serve a whole test file.
const lifeMsMax = 600_000;

const readyLine = /^tessera is ready at (?<url>http:\/\/\S+)$/m;

/** Starts `tessera up` of the built product on a free port with a data folder of its own. */
export async function startUp(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningUp> {
  const ownDataDir = await mkdtemp(join(tmpdir(), "tessera-up-"));
  const dataDir = env["TESSERA_DATA_DIR"] ?? ownDataDir;
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const running = await startCli(["up", ...port, ...args], {
    // Those who test something else want a quiet machine.
    env: { TESSERA_DATA_DIR: dataDir, TESSERA_VALIDATION_ENABLED: "false", ...env },
    limitMs: lifeMsMax,
  });
  const ended = endOf(running, ownDataDir);
  const stop = async () => {
    running.child.kill("SIGINT");
    return await ended;
  };
  try {
    const text = await running.untilStdout((stdout) => readyLine.test(stdout));
    const url = readyLine.exec(text)?.groups?.["url"]?.replace(/\/$/, "") ?? "";
    const token = env["TESSERA_TOKEN"] ?? (await readToken(dataDir));
    return { url, token, dataDir, pid: running.child.pid ?? 0, stop };
  } catch (error) {
    running.child.kill("SIGKILL");
    await ended.catch(() => undefined);
    throw error;
  }
}

async function endOf({ result }: RunningCli, folder: string): Promise<CliResult> {
  try {
    return await result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readToken(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, "admin-token"), "utf8")).trim();
}
