import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Checkpoints and the files they are made of, comparisons, and scaling. */
export const checkpointRows = {
  E_SAFETENSORS: {
    message: "{file} is no good safetensors file: {problem} (rule {rule}).",
    hint: "Nothing was read from it. Fetch or write the file again; `tessera checkpoint verify PATH` judges every file of a folder.",
    exitCode: exitCodes.failed,
    httpStatus: 422,
  },
  E_CHECKPOINT_CORRUPT: {
    message: "The checkpoint {checkpoint} is damaged: {problem} ({file}, rule {rule}).",
    hint: "Nothing of it was used. `tessera checkpoint verify PATH` names every damaged file; load an older one, or restore the file.",
    exitCode: exitCodes.failed,
    httpStatus: 422,
  },
  E_CHECKPOINT_MISSING: {
    message: "There is no committed checkpoint {where}: {problem}.",
    hint: "A save counts only once its COMMIT is written. `tessera checkpoint inspect ROOT` lists what is there.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
  E_CHECKPOINT_STATE: {
    message: "This cannot be saved as {tag}: {problem}.",
    hint: "Give a record whose leaves are tensors, numbers, strings, booleans or null; replicas must agree, and sums must be finished (op.reducePartial).",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CHECKPOINT_WRITE: {
    message: "The checkpoint {tag} could not be written to {root}: {problem}.",
    hint: "Nothing of it is left, and what was committed before is still valid. Free space or mend the disk, then save again.",
    exitCode: exitCodes.undecided,
    httpStatus: 507,
  },
  E_CHECKPOINT_LAYOUT: {
    message: "The checkpoint {checkpoint} cannot be laid out as asked: {problem}.",
    hint: "Give `remapTo` a mesh, and `layouts` for the tensors whose axes it does not have.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_VERIFY: {
    message: "This comparison has no answer: {problem}.",
    hint: "Give tensors, numbers, texts, truth values, or records and lists of them, and options in their range.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_WORKLOAD: {
    message: "The workload {workload} cannot be used: {problem}.",
    hint: "Name mini, gpt-1b, gpt-7b, gpt-70b or gpt-175b, or a YAML file of the same fields.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_SCALING_TABLE: {
    message: "The table {file} cannot be used: {problem}.",
    hint: "Give CSV with the columns devices,time_s and if you like work, a row for each run, or a JSON list of such records.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
} as const satisfies Record<string, ErrorRow>;
