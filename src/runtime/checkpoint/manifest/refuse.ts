import { TesseraError } from "../../../platform/errors/index.ts";

/** What is read, for messages. */
export interface CorruptWhere {
  /** The folder, or its path. */
  readonly checkpoint: string;
  /** The file's name in it. */
  readonly file: string;
}

/** Refuses a checkpoint, naming the file and the rule that it breaks. */
export function corrupt(
  { checkpoint, file }: CorruptWhere,
  rule: string,
  problem: string,
  about: { readonly tensor?: string; readonly cause?: unknown } = {},
): TesseraError<"E_CHECKPOINT_CORRUPT"> {
  const { tensor, cause } = about;
  const details = { checkpoint, file, problem, rule, ...(tensor === undefined ? {} : { tensor }) };
  return new TesseraError("E_CHECKPOINT_CORRUPT", details, cause === undefined ? {} : { cause });
}

/** Throws with what is known about the place. */
export type Refuse = (rule: string, problem: string, tensor?: string) => never;

export function refuserOf(where: CorruptWhere): Refuse {
  return (rule, problem, tensor) => {
    throw corrupt(where, rule, problem, tensor === undefined ? {} : { tensor });
  };
}
