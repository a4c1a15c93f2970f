import { isTesseraError, TesseraError } from "../../../platform/errors/index.ts";
import { fileProblem } from "../../../platform/files/file-problem.ts";

/** What is being saved, for messages. */
export interface SaveWhere {
  readonly tag: string;
  readonly root: string;
}

/** The refusal of a save that could not be written, naming the file. */
export function writeFailure(
  { tag, root }: SaveWhere,
  error: unknown,
  file?: string,
): TesseraError {
  const problem = `${file === undefined ? "" : `${file}: `}${fileProblem(error)}`;
  const about = file === undefined ? {} : { file };
  return new TesseraError("E_CHECKPOINT_WRITE", { tag, root, problem, ...about }, { cause: error });
}

/** Runs an effect on one file; what goes wrong names it. */
export type InFile = <T>(file: string, work: () => Promise<T>) => Promise<T>;

export function namingFiles(where: SaveWhere): InFile {
  return async (file, work) => {
    try {
      return await work();
    } catch (error) {
      throw isTesseraError(error) ? error : writeFailure(where, error, file);
    }
  };
}
