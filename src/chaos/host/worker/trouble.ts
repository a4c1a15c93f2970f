import { isTesseraError, messageOf } from "../../../platform/errors/index.ts";
import type { TroubleCause } from "../../elastic/index.ts";

/** Why a rank cannot go on, in the words of the elastic job. Ranks are those of the plan. */
export interface Trouble {
  readonly cause: TroubleCause;
  readonly suspects: readonly number[];
  readonly reason: string;
}

/** What a rank throws when it knows whom to suspect. */
export class TroubleError extends Error {
  override readonly name = "TroubleError";
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.reason);
    this.trouble = trouble;
  }
}

/** The trouble that an error is; undefined when it is a mistake of ours, which must not look like one. */
export function troubleOf(
  error: unknown,
  planRank: (worldRank: number) => number,
): Trouble | undefined {
  if (error instanceof TroubleError) return error.trouble;
  if (error instanceof RangeError && /allocation failed|out of memory/i.test(error.message)) {
    return { cause: "memory", suspects: [], reason: `no memory was left: ${error.message}` };
  }
  if (!isTesseraError(error)) return undefined;
  const reason = messageOf(error);
  if (error.code === "E_RANK_LOST") {
    return { cause: "peer", suspects: [planRank(Number(error.details["rank"]))], reason };
  }
  if (error.code === "E_RENDEZVOUS") return { cause: "peer", suspects: [], reason };
  return undefined;
}
