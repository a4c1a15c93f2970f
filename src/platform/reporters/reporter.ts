import { messageOf } from "../errors/index.ts";
import type { Report, ReportItem } from "./report.ts";

/** Work is about to begin. */
export interface Beginning {
  readonly title: string;
  readonly subject: string;
  /** How many items there will be, when that is known. */
  readonly itemsTotal?: number;
}

/** An item that has begun. The id tells items apart that run at the same time. */
export interface ItemStart {
  readonly id: string;
  readonly name: string;
}

export interface ItemProgress {
  readonly id: string;
  readonly done: number;
  /** Unknown when absent. */
  readonly total?: number;
  /** What is happening right now, one phrase. */
  readonly note?: string;
}

export interface ItemEnd {
  readonly id: string;
  readonly item: ReportItem;
}

/** Follows a piece of work. Implement what you need; the rest is ignored. */
export interface Reporter {
  onBegin?(beginning: Beginning): void;
  onItemStart?(start: ItemStart): void;
  onProgress?(progress: ItemProgress): void;
  onItemEnd?(end: ItemEnd): void;
  /** The last call. Whoever writes files does it here. */
  onEnd?(report: Report): void | Promise<void>;
  /** The work was given up: give back timers and the screen. May follow onEnd. */
  onAbort?(): void;
}

/**
 * Hands every event to all reporters. One that throws is left out from then on, because a broken
 * report must not break the work; its error comes out at the end.
 */
export function createMultiplexer(reporters: readonly Reporter[]): Required<Reporter> {
  const broken = new Map<Reporter, unknown>();
  const tell = (event: (reporter: Reporter) => void) => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        event(reporter);
      } catch (error) {
        broken.set(reporter, error);
      }
    }
  };
  return {
    onBegin: (beginning) => tell((reporter) => reporter.onBegin?.(beginning)),
    onItemStart: (start) => tell((reporter) => reporter.onItemStart?.(start)),
    onProgress: (progress) => tell((reporter) => reporter.onProgress?.(progress)),
    onItemEnd: (end) => tell((reporter) => reporter.onItemEnd?.(end)),
    onEnd: async (report) => {
      for (const reporter of reporters) {
        if (broken.has(reporter)) continue;
        try {
          await reporter.onEnd?.(report);
        } catch (error) {
          broken.set(reporter, error);
        }
      }
      throwBroken([...broken.values()]);
    },
    onAbort: () => tell((reporter) => reporter.onAbort?.()),
  };
}

function throwBroken(errors: readonly unknown[]): void {
  const [first] = errors;
  if (errors.length === 0) return;
  if (errors.length === 1) throw first;
  throw new AggregateError(errors, errors.map(messageOf).join("; "));
}
