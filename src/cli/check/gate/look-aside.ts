import {
  type Finding,
  lookLineSchema,
  type Sighting,
} from "../../../validation/checks/gate/index.ts";
import { type LookOrder, lookVariables } from "./look-order.ts";
import { type AsideOptions, runAside } from "./run-aside.ts";

/** What was seen, and what was asked without an answer. */
export interface Looked {
  readonly sightings: readonly Sighting[];
  readonly unanswered: readonly Finding[];
}

/** Has a process of its own look at this machine, so that nothing that hangs can hold us. */
export async function lookAside(
  order: LookOrder,
  how: Omit<AsideOptions, "onLine">,
): Promise<Looked> {
  const sightings: Sighting[] = [];
  let asked: string | undefined;
  let complaint = "";
  const end = await runAside({
    ...how,
    command: [...how.command, "agent", "look"],
    env: { ...how.env, ...lookVariables(order) },
    onLine: (line, stream) => {
      if (stream === "stderr") complaint ||= line;
      const seen = stream === "stdout" ? lookLineIn(line) : undefined;
      if (seen === undefined) return;
      if ("asks" in seen) asked = seen.asks;
      else {
        asked = undefined;
        sightings.push(seen);
      }
    },
  });
  if (end.kind === "ended" && end.exitCode === 0) return { sightings, unanswered: [] };
  const name = asked ?? "look";
  const seconds = Number((how.timeoutMs / 1000).toFixed(1));
  const why = {
    ended: `the process that asked ended: ${complaint || "it was killed"}`,
    late: `no answer within ${seconds} s`,
    "not-started": end.kind === "not-started" ? end.problem : "",
  }[end.kind];
  return { sightings, unanswered: [{ name, status: "unknown", words: `${name}: ${why}` }] };
}

function lookLineIn(line: string) {
  try {
    return lookLineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
