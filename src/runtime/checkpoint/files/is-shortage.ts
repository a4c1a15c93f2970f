import { errorCodeOf } from "../../../platform/files/file-problem.ts";

const shortages = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);

/**
 * Whether this process or machine ran out of something: an error that says nothing about the file, so
 * that no older checkpoint must be taken because of it.
 */
export function isShortage(error: unknown): boolean {
  return shortages.has(errorCodeOf(error));
}
