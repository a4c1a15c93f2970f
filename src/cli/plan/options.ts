import { usageError } from "../usage-error.ts";

const limitMax = 100_000;
const linesDefault = 20;

export interface PlanOptions {
  /** The only cluster to look at; undefined for all. */
  readonly cluster: string | undefined;
  /** How many runs of each list are shown. */
  readonly limit: number;
}

/** Reads the options of `tessera plan`. @throws E_USAGE */
export function planOptions(
  given: Readonly<Record<string, unknown>>,
  { json = false }: { readonly json?: boolean },
): PlanOptions {
  const { cluster, limit } = given;
  return {
    cluster: typeof cluster === "string" ? cluster : undefined,
    limit: typeof limit === "string" ? limitOf(limit) : json ? limitMax : linesDefault,
  };
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= limitMax) return limit;
  throw usageError("plan", `\`--limit\` must be a whole number from 1 to ${limitMax}, not ${text}`);
}
