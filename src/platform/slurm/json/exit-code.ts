import { z } from "zod";
import { exitOfStatus, type SlurmExit } from "../exit-status.ts";
import { number } from "./shapes.ts";

const none: SlurmExit = { exitCode: undefined, exitSignal: undefined };

/** A wait status as the system gives it. */
const waitStatus = z.union([z.number(), z.null()]).transform(exitOfWait);

/** The same in an object, as 23.02 has it; strict, because the form taken apart is an object, too. */
const waitStatusInObject = z
  .strictObject({ set: z.boolean(), infinite: z.boolean().default(false), number: z.number() })
  .transform(({ set, infinite, number: status }) => exitOfWait(set && !infinite ? status : null));

const signal = z.union([
  z.object({ id: number }).transform(({ id }) => id),
  z.object({ signal_id: number }).transform(({ signal_id: id }) => id),
]);

/** Taken apart: one of the two parts must be there, else any object would be an end with code 0. */
const takenApart = z.union([
  z.object({ return_code: number, signal: signal.nullish() }).transform(exitOfParts),
  z.object({ return_code: z.undefined().optional(), signal }).transform(exitOfParts),
]);

/** How a job ended, in every shape that a known release prints; any other is refused. */
export const exitCode = z.union([waitStatus, waitStatusInObject, takenApart]);

function exitOfWait(status: number | null): SlurmExit {
  return status === null ? none : exitOfStatus({ code: status >> 8, signal: status & 127 });
}

function exitOfParts(parts: {
  readonly return_code?: number | undefined;
  readonly signal?: number | null | undefined;
}): SlurmExit {
  const { return_code: code, signal: id } = parts;
  if (code === undefined && (id ?? 0) === 0) return none;
  return exitOfStatus({ code: code ?? 0, signal: id ?? 0 });
}
