import { isNotFound } from "../../../platform/kube/index.ts";
import { retry } from "../../../platform/time/index.ts";
import { type HardwareFault, isLive, marks, type UndoEntry } from "../../objects/index.ts";
import { takeBack } from "../../undo/index.ts";
import { workloadType } from "../../workload/index.ts";
import type { FaultApiPorts } from "../ports.ts";

type LookPorts = Pick<FaultApiPorts, "client" | "clock" | "random" | "log">;

/**
 * True for a fault that is over and of which nobody knows whether it was carried out: who did may
 * have been slower than whoever took it back, and may have died then.
 */
export function mayHaveComeLate(fault: HardwareFault): boolean {
  const { undo = [], history = [] } = fault.status ?? {};
  return !isLive(fault) && undo.length > 0 && !history.some(({ state }) => state === "injected");
}

/** Takes back what bears the name of a fault that has ended, whatever its undo says is done. */
export async function takeBackAgain(ports: LookPorts, fault: HardwareFault): Promise<void> {
  const { client, clock, random, log } = ports;
  const { name = "" } = fault.metadata;
  const leaseUntilMs = Date.parse(fault.status?.leaseUntil ?? "");
  for (const entry of (fault.status?.undo ?? []).toReversed()) {
    const left = await retry(
      async () => {
        if (!(await bearsName(ports, entry, name))) return [];
        log.warn({ fault: name, kind: entry.kind }, "a fault came after its own end; taken back");
        return (await takeBack(entry, { client, clock, fault: name, leaseUntilMs })).left;
      },
      { clock, rng: random },
    );
    if (left.length > 0) log.warn({ fault: name, left }, "something of a fault was left alone");
  }
}

/** By now the same values may be there for another fault, or because somebody wants them. */
async function bearsName({ client }: LookPorts, entry: UndoEntry, name: string): Promise<boolean> {
  try {
    if (entry.kind === "workload") {
      const { metadata } = await client.get(workloadType(entry.workload), entry.workload);
      return metadata.annotations?.[marks.passthrough] === name;
    }
    if (entry.kind !== "object") return false;
    const { metadata } = await client.get(entry.type, entry);
    return metadata.labels?.[marks.madeFor] === name;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
