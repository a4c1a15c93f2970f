import { open } from "node:fs/promises";
import { invalidKubeConfig } from "./invalid.ts";
import { pathInKubeConfig, type Sourced } from "./merged-kubeconfig.ts";

/** Certificates, keys and tokens are a few KiB; anything past this is the wrong file. */
export const secretFileBytesMax = 1024 * 1024;

/** Reads a small text file; the error says what is wrong but never quotes content. */
export async function readSmallFile(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size > secretFileBytesMax)
      throw new Error(`${path} is larger than ${secretFileBytesMax} bytes`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** A PEM text that a kubeconfig holds inline, or by a path to read (again) when needed. */
export interface PemSource {
  readonly pem: string;
  /** Where it was read from; absent for inline data. */
  readonly path?: string;
}

/**
 * The PEM behind a pair of fields such as `client-key-data` and `client-key`. Data wins over the
 * file, as in kubectl. Undefined when neither is set.
 */
export async function pemOf(
  source: Sourced<Readonly<Record<string, unknown>>>,
  kind: "clusters" | "users",
  field: string,
): Promise<PemSource | undefined> {
  const { file, name, entry } = source;
  const data = entry[`${field}-data`];
  if (typeof data === "string" && data !== "") {
    const where = { file, field: `${kind}[${name}].${field}-data` };
    const decoded = decodeBase64(data);
    if (decoded === undefined) throw invalidKubeConfig(where, "not valid base64");
    if (!decoded.includes("-----BEGIN "))
      throw invalidKubeConfig(where, "base64 that holds no PEM block");
    return { pem: decoded };
  }
  const written = entry[field];
  if (typeof written !== "string" || written === "") return undefined;
  const path = pathInKubeConfig(file, written);
  const where = { file, field: `${kind}[${name}].${field}` };
  const pem = await readSmallFile(path).catch((error: unknown) => {
    throw invalidKubeConfig(where, `cannot read ${path} (${codeOf(error)})`);
  });
  if (!pem.includes("-----BEGIN ")) throw invalidKubeConfig(where, `${path} holds no PEM block`);
  return { pem, path };
}

/** The code of a file-system error (`ENOENT`), or its message for errors of our own. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.message : String(error);
}

/** Strict base64: Buffer.from would silently skip what is not in the alphabet. */
function decodeBase64(data: string): string | undefined {
  const compact = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) return undefined;
  return Buffer.from(compact, "base64").toString("utf8");
}
