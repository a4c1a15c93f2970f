import { type ChildProcess, execFile, type StdioOptions, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { waitUntil } from "./wait-until.ts";

const run = promisify(execFile);

/** A throwaway PostgreSQL server on a socket in a folder of its own. */
export interface PostgresServer {
  /** The store URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** The store URL of a new, empty schema, which takes a tenth of the time. */
  createSchema(): Promise<string>;
  /** Ends the server as a power cut would, and starts it again on the same data. */
  crash(): Promise<void>;
  /** Stops the server and removes everything it had. */
  stop(): Promise<void>;
}

interface Home {
  readonly bin: string;
  readonly folder: string;
  readonly user: { readonly uid?: number; readonly gid?: number };
  readonly settings: readonly string[];
}

const readyTimeoutMs = 60_000;

/** Why no server can be started here; undefined when one can. */
export function postgresMissing(): string | undefined {
  if (findPrograms() === undefined) return "no initdb and postgres in PATH or /usr/lib/postgresql";
  if (process.getuid?.() === 0 && findUser() === undefined) {
    return "PostgreSQL does not run as root, and there is no user postgres or nobody";
  }
  return undefined;
}

export interface PostgresOptions {
  /** Whether it syncs to the disk; without, it is faster and may lose data. @default true */
  readonly fsync?: boolean;
}

/** Starts a server. Call `postgresMissing` first. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const bin = findPrograms();
  if (bin === undefined) throw new Error(postgresMissing());
  const user: Home["user"] = process.getuid?.() === 0 ? (findUser() ?? {}) : {};
  const folder = await mkdtemp(join(tmpdir(), "tessera-pg-"));
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    "max_connections=60",
    `fsync=${options.fsync === false ? "off" : "on"}`,
  ];
  const home: Home = { bin, folder, user, settings };
  const data = join(folder, "data");
  // Without locale and sync, a new cluster takes one second instead of three.
  const initdb = ["-D", data, "-U", "tessera", "-A", "trust", "-N", "--no-locale", "-E", "UTF8"];
  await run(join(bin, "initdb"), initdb, { ...user, cwd: folder });
  let server = await startServer(home);
  let count = 0;
  return {
    createDatabase: async () => {
      const name = `tessera_${++count}`;
      await execute(home, `create database ${name}`);
      return urlOf(home, name);
    },
    createSchema: async () => {
      const name = `tessera_${++count}`;
      await execute(home, `create schema ${name}`);
      return `${urlOf(home, "postgres")}&options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    crash: async () => {
      await end(server, "SIGKILL");
      server = await startServer(home);
    },
    stop: async () => {
      await end(server, "SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(home: Home): Promise<ChildProcess> {
  for (;;) {
    const { server, log } = launch(home);
    const ended = () => server.exitCode !== null || server.signalCode !== null;
    const ready = () => ended() || log().includes("ready to accept connections");
    await waitUntil("PostgreSQL is ready", ready, { timeoutMs: readyTimeoutMs });
    if (!ended()) return server;
    // After a crash the processes of the old server still hold its memory for a moment.
    if (!/shared memory block|lock file/.test(log())) {
      throw new Error(`PostgreSQL did not start:\n${log()}`);
    }
  }
}

function launch({ bin, folder, user, settings }: Home): {
  server: ChildProcess;
  log: () => string;
} {
  const args = ["-D", join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])];
  const stdio: StdioOptions = ["ignore", "ignore", "pipe"];
  const server = spawn(join(bin, "postgres"), args, { ...user, cwd: folder, stdio });
  let text = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { server, log: () => text };
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await exited;
}

async function execute(home: Home, statement: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: urlOf(home, "postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(home: Home, database: string): string {
  return `postgres://tessera@/${database}?host=${encodeURIComponent(home.folder)}`;
}

/** The folder that has both programs. */
function findPrograms(): string | undefined {
  const packaged = "/usr/lib/postgresql";
  const versions = existsSync(packaged) ? readdirSync(packaged).toSorted().toReversed() : [];
  const folders = [
    ...versions.map((version) => join(packaged, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) =>
    ["initdb", "postgres"].every((program) => existsSync(join(folder, program))),
  );
}

/** A user that PostgreSQL can run as when we are root. */
function findUser(): { readonly uid: number; readonly gid: number } | undefined {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}
