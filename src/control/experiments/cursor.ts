import { TesseraError } from "../../platform/errors/index.ts";
import { decodeCursor, encodeCursor } from "../fleet/cursor.ts";

const kind = "experiment";
const route = "GET /api/v1/experiments";

/** The list goes on before the experiment of this number. */
export function cursorBefore(seq: number): string {
  return encodeCursor([kind, String(seq)]);
}

/** @throws E_REQUEST_INVALID for one that no answer of this list gave */
export function numberBefore(cursor: string | undefined): number | undefined {
  const parts = decodeCursor(cursor, route);
  if (parts === undefined) return undefined;
  const seq = Number(parts[1]);
  if (parts[0] === kind && Number.isSafeInteger(seq) && seq > 0) return seq;
  const problem = "`cursor` is of another list.";
  throw new TesseraError("E_REQUEST_INVALID", { part: "query", problem, route });
}
