import type { KernelRecord } from "../../kernel-log/index.ts";
import type { HardwareFault } from "../../objects/index.ts";
import type { SeenXid } from "../agent-options.ts";
import { isEnding } from "../in-force.ts";

/**
 * What a line of the kernel log means to the detector. `counts`: it reacts; `old`: it was there
 * before; `duplicate`: it reacted to the like of it; `over`: the fault that wrote it has ended.
 */
export type LineVerdict =
  | { readonly kind: "none" | "old" | "duplicate" | "over" }
  | { readonly kind: "counts"; readonly seen: SeenXid; readonly fault?: HardwareFault };

export interface LineJudgeOptions {
  /** Lines up to this number were dealt with before; undefined: all that the log holds were. */
  readonly dealtWithTo: number | undefined;
  /** The same XID of the same GPU counts once in this time. @default 60 s */
  readonly windowUs?: number;
}

const windowUsDefault = 60_000_000;
const rememberedMax = 4096;

/**
 * Decides which lines count. A storm of the same line counts once a minute; lines of faults count
 * once each, whenever they were written, as long as their fault has not ended: neither a line from
 * before the agent came nor a second injection right after the first is lost.
 */
export class LineJudge {
  readonly #dealtWithTo: number | undefined;
  readonly #windowUs: number;
  /** What counted, and when. The oldest are forgotten first. */
  readonly #counted = new Map<string, number>();
  #backlog = true;

  constructor({ dealtWithTo, windowUs = windowUsDefault }: LineJudgeOptions) {
    this.#dealtWithTo = dealtWithTo;
    this.#windowUs = windowUs;
  }

  /** From here on everything is new: what the log held at the start has been read. */
  endBacklog(): void {
    this.#backlog = false;
  }

  judge(
    record: KernelRecord,
    seen: SeenXid | undefined,
    faults: ReadonlyMap<string, HardwareFault>,
  ): LineVerdict {
    if (seen === undefined) return { kind: "none" };
    const { correlationId } = seen;
    if (correlationId === undefined) return this.#judgeReal(record, seen);
    const fault = faults.get(correlationId);
    // Nothing is broken but what a test pretends, and that test is over.
    if (fault === undefined || isEnding(fault)) return { kind: "over" };
    const key = `${correlationId} ${seen.xid} ${seen.pci}`;
    if (this.#counted.has(key)) return { kind: "duplicate" };
    this.#remember(key, record.timestampUs);
    return { kind: "counts", seen, fault };
  }

  #judgeReal(record: KernelRecord, seen: SeenXid): LineVerdict {
    const isOld =
      this.#backlog && (this.#dealtWithTo === undefined || record.sequence <= this.#dealtWithTo);
    if (isOld) return { kind: "old" };
    const key = `${seen.xid} ${seen.pci}`;
    const lastUs = this.#counted.get(key);
    // A clock that went back is one that began anew.
    const sinceUs = lastUs === undefined ? undefined : record.timestampUs - lastUs;
    if (sinceUs !== undefined && sinceUs >= 0 && sinceUs < this.#windowUs) {
      return { kind: "duplicate" };
    }
    this.#remember(key, record.timestampUs);
    return { kind: "counts", seen };
  }

  #remember(key: string, atUs: number): void {
    this.#counted.delete(key);
    this.#counted.set(key, atUs);
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > rememberedMax && oldest !== undefined) this.#counted.delete(oldest);
  }
}
