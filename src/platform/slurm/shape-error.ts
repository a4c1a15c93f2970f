import { messageOf, TesseraError } from "../errors/index.ts";

/** Which command of which release printed what is read, for the error that names both. */
export interface SlurmOrigin {
  readonly tool: string;
  readonly release: string;
}

/** A field that is missing or not as any known release prints it. */
export class FieldProblem extends Error {
  readonly field: string;

  constructor(field: string, problem: string) {
    super(problem);
    this.field = field;
  }
}

/** Reads one field; what is wrong with it is said together with its name. */
export function readField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FieldProblem ? error : new FieldProblem(field, messageOf(error));
  }
}

/**
 * Refuses a list without an entry where every cluster has some: from an empty fleet it would follow that
 * every node has left.
 */
export function atLeastOne<T>(field: string, list: readonly T[]): readonly T[] {
  if (list.length === 0) throw new FieldProblem(field, "there are none, and a cluster has some");
  return list;
}

/** Runs a parser; what it does not understand becomes the error that names the field. */
export function understood<T>(origin: SlurmOrigin, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    throw new TesseraError(
      "E_SLURM_SHAPE",
      { ...origin, field: error.field, problem: error.message },
      { cause: error },
    );
  }
}
