import { z } from "zod";
import { type GpuLibraryName, gpuLibraryNames } from "./gpu-libraries.ts";
import { foldersMax } from "./library-folders.ts";

/**
 * A library that aborts must not take the doctor with it, so each is loaded by a process of its
 * own: this program again, with the question in a variable and the answer on its last line.
 */
export const inspectionVariable = "TESSERA_INSPECT_GPU_LIBRARY";
const answerMark = "tessera-gpu-library ";

const requestSchema = z.object({
  library: z.enum(gpuLibraryNames as [GpuLibraryName, ...GpuLibraryName[]]),
  /** Searched before the system's loader. */
  given: z.array(z.string()).max(foldersMax),
  /** Searched after it. */
  folders: z.array(z.string()).max(foldersMax),
});

const loadedSchema = z.object({
  soname: z.string(),
  /** The file the loader took. */
  path: z.string(),
  version: z.string().nullable(),
  problem: z.string().nullable(),
  facts: z.record(z.string(), z.unknown()),
});

const inspectionSchema = z.object({
  /** Why no library could be loaded at all; null when the FFI is there. */
  ffiProblem: z.string().nullable(),
  loaded: z.array(loadedSchema),
  /** Files that are there but do not load, and why. */
  broken: z.array(z.object({ candidate: z.string(), problem: z.string() })),
});

export type InspectionRequest = z.output<typeof requestSchema>;
export type LoadedLibrary = z.output<typeof loadedSchema>;
/** What a process found out about one library. */
export type Inspection = z.output<typeof inspectionSchema>;

export function writeRequest(request: InspectionRequest): string {
  return JSON.stringify(request);
}

/** @throws when the text is not a request; only this package writes them. */
export function readRequest(text: string): InspectionRequest {
  return requestSchema.parse(JSON.parse(text));
}

export function writeInspection(inspection: Inspection): string {
  return `\n${answerMark}${JSON.stringify(inspection)}\n`;
}

/** The answer among everything the process printed; libraries print things of their own. */
export function readInspection(output: string): Inspection | undefined {
  const line = output.split("\n").findLast((one) => one.startsWith(answerMark));
  if (line === undefined) return undefined;
  try {
    return inspectionSchema.parse(JSON.parse(line.slice(answerMark.length)));
  } catch {
    return undefined;
  }
}
