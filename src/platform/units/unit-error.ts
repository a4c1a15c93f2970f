/** Where a value was read, for the error: `server.bodyLimit`. */
export interface UnitOptions {
  /** @default "The value" */
  readonly where?: string;
}

/** What a quantity should have been: "a duration", and how to write one. */
export interface WantedUnit {
  readonly kind: string;
  readonly accepted: string;
}

/**
 * A text or number that is not the quantity it should be. Whoever reads user input makes its own
 * error of it, which knows the file and line.
 */
export class UnitError extends Error {
  override readonly name = "UnitError";
  /** What it should have been: "a duration". */
  readonly kind: string;
  /** How to write such a quantity, with examples. */
  readonly accepted: string;

  constructor(given: unknown, wanted: WantedUnit, options: UnitOptions = {}) {
    const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 100)) : String(given);
    const where = options.where ?? "The value";
    super(`${where} is ${shown}, which is not ${wanted.kind}; write ${wanted.accepted}`);
    this.kind = wanted.kind;
    this.accepted = wanted.accepted;
  }
}
