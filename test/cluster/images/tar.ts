import { closeSync, openSync, readSync, statSync } from "node:fs";

/** What a file holds: the bytes themselves, or the file they are in. */
export type Content = Buffer | { readonly fromFile: string };

/** One entry of an archive. Owner is root and the time zero: equal input gives equal output. */
export type TarEntry =
  | {
      readonly type: "file";
      readonly path: string;
      readonly mode: number;
      readonly content: Content;
    }
  | { readonly type: "directory"; readonly path: string; readonly mode: number }
  | { readonly type: "symlink"; readonly path: string; readonly target: string };

export type Sink = (chunk: Buffer) => void;

const blockBytes = 512;
const chunkBytes = 1024 * 1024;
const typeFlags = { file: "0", symlink: "2", directory: "5" } as const;

/** Writes entries as a ustar archive, end marker included. Paths are relative, without `./`. */
export function writeTar(entries: readonly TarEntry[], sink: Sink): void {
  for (const entry of entries) {
    const sizeBytes = entry.type === "file" ? contentBytes(entry.content) : 0;
    sink(tarHeader(entry, sizeBytes));
    if (entry.type === "file") writeContent(entry.content, sizeBytes, sink);
  }
  sink(Buffer.alloc(2 * blockBytes));
}

function contentBytes(content: Content): number {
  return Buffer.isBuffer(content) ? content.length : statSync(content.fromFile).size;
}

/** What a header says about an entry, apart from the size of its content. */
type HeaderFields =
  | { readonly type: "file" | "directory"; readonly path: string; readonly mode: number }
  | { readonly type: "symlink"; readonly path: string; readonly target: string };

/** The 512-byte header in front of an entry. */
export function tarHeader(entry: HeaderFields, sizeBytes: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const path = entry.type === "directory" ? `${entry.path}/` : entry.path;
  const { name, prefix } = splitPath(path);
  header.write(name, 0, 100, "utf8");
  header.write(octal(entry.type === "symlink" ? 0o777 : entry.mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(sizeBytes, 12), 124);
  header.write(octal(0, 12), 136);
  // The checksum counts its own field as blanks.
  header.fill(" ", 148, 156);
  header.write(typeFlags[entry.type], 156);
  if (entry.type === "symlink") header.write(checkLength(entry.target, 100), 157, 100, "utf8");
  header.write("ustar\u000000", 257, "latin1");
  header.write(prefix, 345, 155, "utf8");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** ustar keeps a long path in two fields, split at a slash. */
function splitPath(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" };
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const prefix = path.slice(0, at);
    const name = path.slice(at + 1);
    if (name === "" || Buffer.byteLength(prefix) > 155) break;
    if (Buffer.byteLength(name) <= 100) return { name, prefix };
  }
  throw new RangeError(`the path is too long for a tar archive: ${path}`);
}

function checkLength(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) > bytesMax) throw new RangeError(`too long for tar: ${text}`);
  return text;
}

/** A number as the zero-terminated octal text of a field. */
function octal(value: number, fieldBytes: number): string {
  const digits = value.toString(8);
  if (digits.length >= fieldBytes) throw new RangeError(`${value} does not fit a tar field`);
  return `${digits.padStart(fieldBytes - 1, "0")}\0`;
}

function writeContent(content: Content, sizeBytes: number, sink: Sink): void {
  if (Buffer.isBuffer(content)) sink(content);
  else copyFile(content.fromFile, sizeBytes, sink);
  const rest = sizeBytes % blockBytes;
  if (rest > 0) sink(Buffer.alloc(blockBytes - rest));
}

function copyFile(file: string, sizeBytes: number, sink: Sink): void {
  const fd = openSync(file, "r");
  try {
    let leftBytes = sizeBytes;
    while (leftBytes > 0) {
      // A new buffer each time: a sink may keep what it was given.
      const chunk = Buffer.alloc(Math.min(chunkBytes, leftBytes));
      const readBytes = readSync(fd, chunk);
      if (readBytes === 0) throw new Error(`${file} became shorter while it was read`);
      sink(chunk.subarray(0, readBytes));
      leftBytes -= readBytes;
    }
  } finally {
    closeSync(fd);
  }
}
