import type { RunIntent } from "../run.ts";
import type { PlanGate, PlanRefusal } from "./history.ts";

export interface GateState {
  /** The greatest fence seen for the cluster; undefined before the first. */
  readonly fenceSeen: number | undefined;
  /** The nodes of the open runs. */
  readonly nodesInUse: readonly string[];
  /** Which of the intents were planned before. */
  readonly known: ReadonlySet<string>;
}

export interface GateAnswer {
  readonly planned: readonly RunIntent[];
  readonly refused: readonly { readonly intent: RunIntent; readonly why: PlanRefusal }[];
  /** Of those planned, what is new and has to be written down. */
  readonly fresh: readonly RunIntent[];
}

/** Decides which intents may be planned, first come first served. */
export function passGate(
  gate: PlanGate,
  state: GateState,
  intents: readonly RunIntent[],
): GateAnswer {
  if (state.fenceSeen !== undefined && gate.fence < state.fenceSeen) {
    const refused = intents.map((intent) => ({ intent, why: "superseded" as const }));
    return { planned: [], refused, fresh: [] };
  }
  const known = new Set(state.known);
  const inUse = new Set(state.nodesInUse);
  const planned: RunIntent[] = [];
  const fresh: RunIntent[] = [];
  const refused: { intent: RunIntent; why: PlanRefusal }[] = [];
  for (const intent of intents) {
    if (known.has(intent.id)) {
      planned.push(intent);
    } else if (inUse.has(intent.node)) {
      refused.push({ intent, why: "node-in-use" });
    } else if (inUse.size >= gate.inFlightMax) {
      refused.push({ intent, why: "limit" });
    } else {
      known.add(intent.id);
      inUse.add(intent.node);
      planned.push(intent);
      fresh.push(intent);
    }
  }
  return { planned, refused, fresh };
}
