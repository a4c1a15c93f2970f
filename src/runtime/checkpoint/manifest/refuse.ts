import { TesseraError } from "../../../platform/errors/index.ts";

/** What is read, for messages. */
export interface CorruptWhere {
  /** The folder, or its path. */
  readonly checkpoint: string;
  /** The file's name in it. */
  readonly file: string;
}

// Names and keys come from the file: they must not fill a screen or a log, nor steer a terminal.
const shownCharacters = 500;
const controls = /[\u0000-\u001f\u007f-\u009f]/g;

/** Refuses a checkpoint, naming the file and the rule that it breaks. */
export function corrupt(
  { checkpoint, file }: CorruptWhere,
  rule: string,
  problem: string,
  about: { readonly tensor?: string; readonly cause?: unknown } = {},
): TesseraError<"E_CHECKPOINT_CORRUPT"> {
  const { tensor, cause } = about;
  const details = {
    checkpoint,
    file,
    problem: shown(problem),
    rule,
    ...(tensor === undefined ? {} : { tensor }),
  };
  return new TesseraError("E_CHECKPOINT_CORRUPT", details, cause === undefined ? {} : { cause });
}

function shown(problem: string): string {
  const isLong = problem.length > shownCharacters;
  const part = isLong ? `${problem.slice(0, shownCharacters)}…` : problem;
  return part.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Throws with what is known about the place. */
export type Refuse = (rule: string, problem: string, tensor?: string) => never;

export function refuserOf(where: CorruptWhere): Refuse {
  return (rule, problem, tensor) => {
    throw corrupt(where, rule, problem, tensor === undefined ? {} : { tensor });
  };
}
