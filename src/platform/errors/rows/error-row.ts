/** One row of the error table: everything a person or a program needs to react to an error. */
export interface ErrorRow {
  /** What went wrong. `{name}` is filled from the error's details. */
  readonly message: string;
  /** What to do about it. `{name}` is filled from the error's details. */
  readonly hint: string;
  readonly exitCode: number;
  readonly httpStatus: number;
}
