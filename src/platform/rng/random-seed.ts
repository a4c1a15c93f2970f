import { randomBytes } from "node:crypto";

/** A seed nobody chose, for when the user gave none. Print it, so that the run can be repeated. */
export function randomSeed(): string {
  return randomBytes(8).toString("hex");
}
