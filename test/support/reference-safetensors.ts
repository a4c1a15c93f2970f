import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { missing } from "./missing.ts";

const run = promisify(execFile);

/** One version, so that its verdicts are the same everywhere. */
const version = "0.8.0";
const installTimeoutMs = 100_000;
const program = join(import.meta.dirname, "programs", "reference-safetensors.py");

export interface ReferenceTensor {
  readonly name: string;
  readonly dtype: string;
  /** Decimal: it may be above 2^53. */
  readonly shape: readonly string[];
  readonly hex: string;
}

export type ReferenceVerdict =
  | { readonly ok: false; readonly error: string }
  | {
      readonly ok: true;
      readonly tensors: readonly ReferenceTensor[];
      readonly metadata: Readonly<Record<string, string>>;
    };

export interface TensorForReference {
  readonly name: string;
  /** As Python calls it: `float32`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly hex: string;
}

/** Python's own safetensors. */
export interface Reference {
  /** Its verdict on each of these files, in their order. */
  judge(files: readonly Uint8Array[]): Promise<readonly ReferenceVerdict[]>;
  /** The file that it writes. */
  write(
    tensors: readonly TensorForReference[],
    metadata?: Readonly<Record<string, string>>,
  ): Promise<Uint8Array>;
  /** What its numpy interface finds in a file. */
  readWithNumpy(path: string): Promise<readonly TensorForReference[]>;
}

/**
 * The reference implementation, put into the user's cache the first time; or the reason why it cannot
 * be had here, for the title of what is skipped.
 */
export async function findReference(): Promise<Reference | string> {
  const found = await referenceFolder();
  return "missing" in found ? found.missing : referenceIn(found.folder);
}

/** The folder that Python finds safetensors and numpy in (`PYTHONPATH`), or why there is none. */
export async function referenceFolder(): Promise<
  { readonly folder: string } | { readonly missing: string }
> {
  const absent = missing("python3");
  if (absent !== "") return { missing: absent };
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "tessera", "python", `safetensors-${version}`);
  try {
    if (!existsSync(folder)) await install(folder);
    await run("python3", ["-c", "import safetensors, numpy"], { env: envWith(folder) });
  } catch (error) {
    const [line = ""] = String(error).trim().split("\n").slice(-1);
    const problem = `Python's safetensors ${version} cannot be installed here`;
    return { missing: ` (skipped: ${problem}: ${line.slice(0, 120)})` };
  }
  return { folder };
}

/** Beside its place first, so that nobody finds half of it. */
async function install(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    const packages = [`safetensors==${version}`, "numpy"];
    const options = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "10"];
    const args = ["-m", "pip", "install", ...options, "--target", unfinished, ...packages];
    await run("python3", args, { timeout: installTimeoutMs });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another test may have been first.
    if (!existsSync(folder)) throw error;
  }
}

function referenceIn(folder: string): Reference {
  const ask = (args: readonly string[], input: Uint8Array) => answerOf(folder, args, input);
  return {
    judge: async (files) => {
      const parts = files.flatMap((file) => [lengthOf(file), file]);
      const answer = await ask(["judge"], Buffer.concat(parts));
      const lines = answer.toString().trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as ReferenceVerdict);
    },
    write: (tensors, metadata) =>
      ask(["write"], Buffer.from(JSON.stringify({ tensors, metadata }))),
    readWithNumpy: async (path) =>
      JSON.parse((await ask(["numpy", path], Buffer.alloc(0))).toString()) as TensorForReference[],
  };
}

function lengthOf(file: Uint8Array): Uint8Array {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(file.length);
  return prefix;
}

async function answerOf(
  folder: string,
  args: readonly string[],
  input: Uint8Array,
): Promise<Buffer> {
  const child = spawn("python3", [program, ...args], { env: envWith(folder) });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const complaint = text(child.stderr);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  child.stdin.end(input);
  const exitCode = await ended;
  if (exitCode !== 0)
    throw new Error(`${args.join(" ")} ended with ${exitCode}: ${await complaint}`);
  return Buffer.concat(chunks);
}

function envWith(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
}
