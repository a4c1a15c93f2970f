import { isTesseraError } from "../../platform/errors/index.ts";
import type { FaultBook } from "../faults/index.ts";
import type { FaultNotes } from "./agent-options.ts";

/** What the agent writes into the book of faults. One that is gone is none, not an error. */
export function notesIn(book: FaultBook): FaultNotes {
  return {
    injected: (name) => book.injected(name),
    failed: (name, message) => book.failed(name, message),
    sighted: (name, sighting) => book.sighted(name, sighting),
    get: async (name) => {
      try {
        return await book.get(name);
      } catch (error) {
        if (isTesseraError(error) && error.code === "E_HW_FAULT_UNKNOWN") return undefined;
        throw error;
      }
    },
  };
}
