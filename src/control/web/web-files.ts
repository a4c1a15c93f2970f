import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** One file of the dashboard, ready to be sent in each form. */
export interface WebFile {
  readonly contentType: string;
  readonly etag: string;
  /** Best first; the last one is the file as it is. */
  readonly forms: readonly WebForm[];
}

export interface WebForm {
  /** Undefined: as it is. */
  readonly coding: "br" | "gzip" | undefined;
  readonly bytes: Buffer;
}

/** The built dashboard, in memory. */
export interface WebFiles {
  readonly index: WebFile;
  /** By name below `/assets/`; their names change with their content. */
  readonly assets: ReadonlyMap<string, WebFile>;
  /** Other files beside the page, by name: an icon. */
  readonly others: ReadonlyMap<string, WebFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
const compressible = /^text\/|json|svg/;
const filesMax = 500;
const sizeBytesMin = 1024;
/** Higher levels save a few per cent and would be felt at each start. */
const brotliQuality = 5;
const gzipLevel = 6;

/** Reads the built dashboard; undefined where there is none. */
export async function readWebFiles(webDir: string): Promise<WebFiles | undefined> {
  const index = await readWebFile(join(webDir, "index.html"));
  if (index === undefined) return undefined;
  const assets = await readFolder(join(webDir, "assets"));
  const others = await readFolder(webDir);
  others.delete("index.html");
  return { index, assets, others };
}

/** The files of one folder that a browser may ask for; source maps and unknown kinds stay unread. */
async function readFolder(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
  const names = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes)
    .map(({ name }) => name)
    .slice(0, filesMax);
  const files = await Promise.all(names.map((name) => readWebFile(join(folder, name))));
  return new Map(
    names.flatMap((name, at) => {
      const file = files[at];
      return file === undefined ? [] : [[name, file] as const];
    }),
  );
}

async function readWebFile(path: string): Promise<WebFile | undefined> {
  const bytes = await readFile(path).catch(ifMissing(undefined));
  return bytes === undefined ? undefined : await prepareFile(extname(path), bytes);
}

/** A file of this kind (`.html`) in every form that is worth sending. */
export async function prepareFile(extension: string, bytes: Buffer): Promise<WebFile> {
  const contentType = contentTypes[extension] ?? "application/octet-stream";
  const etag = createHash("sha1").update(bytes).digest("base64url");
  const plain: WebForm = { coding: undefined, bytes };
  if (bytes.length < sizeBytesMin || !compressible.test(contentType)) {
    return { contentType, etag, forms: [plain] };
  }
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: gzipLevel }),
  ]);
  const forms: readonly WebForm[] = [
    { coding: "br", bytes: br },
    { coding: "gzip", bytes: zipped },
    plain,
  ];
  return { contentType, etag, forms };
}

function ifMissing<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return otherwise;
    throw error;
  };
}
