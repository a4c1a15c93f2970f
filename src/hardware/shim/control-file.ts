import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { ensureDir, writeFileAtomic } from "../../platform/files/index.ts";
import { type CudaFault, shimPaths } from "../objects/index.ts";
import {
  bodyEnd,
  bodyOffset,
  type ControlState,
  controlBytes,
  controlLayout,
  controlProblem,
  decodeControl,
  emptyControl,
  encodeControl,
  type FaultCodes,
  withExpiry,
} from "./control-block.ts";
import { faultProblem } from "./fault-problem.ts";

/** How a block is armed. */
export interface ArmOrder {
  readonly fault: CudaFault;
  readonly codes: FaultCodes;
  /** The shim does nothing from then on, whoever is left. Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** The same clock; `afterMs` counts from here. */
  readonly nowMs: number;
}

/** Pods of any user read it; nobody but its owner writes it. */
const fileMode = 0o644;
const folderMode = 0o755;

/** The control block of a scope below the folder of a node or of a pod. */
export function controlPath(folder: string, scope: string): string {
  return join(folder, shimPaths.scopes, scope, shimPaths.control);
}

/**
 * Makes sure that there is a control block that the shim can read: a new one is not armed, one that
 * is whole stays as it is, anything else is replaced.
 *
 * @throws E_HW_CONTROL, E_FILE_WRITE
 */
export async function ensureControl(path: string): Promise<void> {
  const block = await readBlock(path);
  if (block !== undefined && controlProblem(block) === undefined) return;
  await ensureDir(dirname(path), { mode: folderMode });
  await writeFileAtomic(path, emptyControl(), { mode: fileMode });
}

/**
 * CUDA calls of the processes that have this block go wrong from now on. Makes the block if there is
 * none. No process reads half of it: it is disarmed while it is written.
 *
 * @throws E_HW_CONTROL, E_FILE_WRITE
 */
export async function armControl(path: string, order: ArmOrder): Promise<void> {
  const problem = faultProblem(order.fault);
  if (problem !== undefined) throw controlError(path, problem);
  await ensureControl(path);
  await change(path, async (file, block) => {
    // Also above what a block that was replaced had counted to.
    const generation = Math.max(decodeControl(block).generation + 1, Math.floor(order.nowMs));
    const { fault, codes, expiresAtMs, nowMs } = order;
    const armed = encodeControl({ fault, codes, expiresAtMs, armedAtMs: nowMs, generation });
    await writeArmed(file, 0);
    await writeBody(file, armed);
    await writeArmed(file, 1);
  });
}

/**
 * Moves the end of what is armed; a block that is not armed stays so.
 *
 * @throws E_HW_CONTROL also when there is no block
 */
export async function renewControl(
  path: string,
  { expiresAtMs }: { readonly expiresAtMs: number },
): Promise<void> {
  await change(path, async (file, block) => {
    if (!decodeControl(block).armed) throw controlError(path, "it is not armed");
    await writeBody(file, withExpiry(block, expiresAtMs));
  });
}

/**
 * CUDA calls go through again, apart from those of a process that already met a sticky error. What is
 * no control block any more is made one; where there is none, there is nothing to disarm.
 *
 * @throws E_HW_CONTROL, E_FILE_WRITE
 */
export async function disarmControl(path: string): Promise<void> {
  const block = await readBlock(path);
  if (block === undefined) return;
  if (controlProblem(block) !== undefined) {
    await writeFileAtomic(path, emptyControl(), { mode: fileMode });
    return;
  }
  await change(path, (file) => writeArmed(file, 0));
}

/**
 * What a block says; undefined where there is none.
 *
 * @throws E_HW_CONTROL for a file that is none
 */
export async function readControl(path: string): Promise<ControlState | undefined> {
  const block = await readBlock(path);
  if (block === undefined) return undefined;
  const problem = controlProblem(block);
  if (problem !== undefined) throw controlError(path, problem);
  return decodeControl(block);
}

async function readBlock(path: string): Promise<Buffer | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return await contentOf(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw controlError(path, messageOf(error), error);
  } finally {
    await file?.close();
  }
}

/** Writes into the file itself: processes have it mapped. */
async function change(
  path: string,
  work: (file: FileHandle, block: Buffer) => Promise<void>,
): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const block = await contentOf(file);
    const problem = controlProblem(block);
    if (problem !== undefined) throw controlError(path, problem);
    await work(file, block);
  } catch (error) {
    if (error instanceof TesseraError) throw error;
    const problem = codeOf(error) === "ENOENT" ? "there is none" : messageOf(error);
    throw controlError(path, problem, error);
  } finally {
    await file?.close();
  }
}

async function contentOf(file: FileHandle): Promise<Buffer> {
  const block = Buffer.alloc(controlBytes);
  const { bytesRead } = await file.read(block, 0, controlBytes, 0);
  return block.subarray(0, bytesRead);
}

async function writeBody(file: FileHandle, block: Buffer): Promise<void> {
  await file.write(block, bodyOffset, bodyEnd - bodyOffset, bodyOffset);
}

async function writeArmed(file: FileHandle, armed: 0 | 1): Promise<void> {
  const word = Buffer.alloc(4);
  word.writeUInt32LE(armed);
  await file.write(word, 0, word.length, controlLayout.armed.offset);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function controlError(path: string, problem: string, cause?: unknown): TesseraError {
  return new TesseraError("E_HW_CONTROL", { path, problem }, { cause });
}
