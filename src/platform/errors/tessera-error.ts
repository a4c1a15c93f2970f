import { type ErrorCode, errorTable } from "./table.ts";

/** The names between braces in a message or hint: `"{a} of {b}"` gives `"a" | "b"`. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Row<Code extends ErrorCode> = (typeof errorTable)[Code];

/** The details an error of this code must carry, because its message and hint name them. */
export type ErrorDetails<Code extends ErrorCode> = {
  readonly [Name in Placeholders<Row<Code>["message"] | Row<Code>["hint"]>]: string | number;
} & { readonly [name: string]: unknown };

export interface ErrorOptions {
  /** The error underneath, if there is one. */
  readonly cause?: unknown;
  /** Replaces the table's hint where the situation allows better advice. */
  readonly hint?: string;
}

// A registered symbol, so that two copies of the package recognise each other's errors.
const brand = Symbol.for("tessera.error");

/** An error Tessera reports on purpose: a code from the table, with the facts as fields. */
export class TesseraError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "TesseraError";
  readonly code: Code;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly exitCode: number;
  readonly httpStatus: number;
  readonly [brand] = true;

  constructor(code: Code, details: ErrorDetails<Code>, options: ErrorOptions = {}) {
    const row = errorTable[code];
    super(
      fill(row.message, details),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.hint = options.hint ?? fill(row.hint, details);
    this.details = details;
    this.exitCode = row.exitCode;
    this.httpStatus = row.httpStatus;
  }
}

/** True for errors of this package, also when another copy of it made them. */
export function isTesseraError(value: unknown): value is TesseraError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Any thrown value as a TesseraError; what we did not foresee becomes E_INTERNAL with its cause. */
export function toTesseraError(thrown: unknown): TesseraError {
  if (isTesseraError(thrown)) return thrown;
  return new TesseraError("E_INTERNAL", { problem: messageOf(thrown) }, { cause: thrown });
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function fill(template: string, details: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name]));
}
