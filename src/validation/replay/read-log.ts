import { TesseraError } from "../../platform/errors/index.ts";
import type { Fleet } from "../prioritize/index.ts";
import type { EventLog, LogEvent } from "./event-log.ts";
import { type EventLine, parseEvent } from "./parse-event.ts";
import { parseHeader } from "./parse-header.ts";

const eventsMax = 20_000_000;

/** A crash whose lines are still coming. */
interface GrowingCrash {
  readonly type: "crash";
  readonly t: number;
  readonly job: string;
  readonly nodes: number[];
  readonly causes: string[];
}

/**
 * Builds a log from its lines, one at a time.
 *
 * Lines are put in order of `t`; lines of the same `t` stay in the order they came. Crashes of the
 * same `t` and job become one, in the place of the first. Events after the end are left out.
 *
 * @throws TesseraError E_LOG_INVALID naming the line and what is wrong with it.
 */
export class LogReader {
  readonly #source: string;
  #line = 0;
  #fleet: Fleet | undefined;
  readonly #nodes = new Map<string, number>();
  readonly #defects = new Set<string>();
  readonly #lines: EventLine[] = [];

  /** @param source what the errors call the log. */
  constructor(source: string) {
    this.#source = source;
  }

  /** Takes the next line. Empty lines are skipped. */
  take(text: string): void {
    this.#line++;
    if (text.trim() === "") return;
    const value = this.#parseJson(text);
    if (this.#fleet === undefined) {
      const fleet = parseHeader(value);
      if (typeof fleet === "string") throw this.#invalid(fleet);
      this.#fleet = fleet;
      fleet.nodes.forEach(({ name }, index) => {
        this.#nodes.set(name, index);
      });
      return;
    }
    const event = parseEvent(value);
    if (typeof event === "string") throw this.#invalid(event);
    const problem = this.#problemOf(event, this.#fleet);
    if (problem !== undefined) throw this.#invalid(problem);
    if (event.t > this.#fleet.endS) return;
    if (this.#lines.length >= eventsMax) throw this.#invalid(`it has over ${eventsMax} events`);
    this.#lines.push(event);
  }

  /** The log, when all lines were taken. */
  finish(): EventLog {
    if (this.#fleet === undefined) throw this.#invalid("there is no line that describes the fleet");
    const byTime = this.#lines.toSorted((a, b) => a.t - b.t);
    const events: LogEvent[] = [];
    let crashes = new Map<string, GrowingCrash>();
    byTime.forEach((line, index) => {
      if (line.t !== byTime[index - 1]?.t) crashes = new Map();
      const node = this.#nodes.get(line.node) ?? 0;
      if (line.type !== "crash") {
        events.push(eventOf(line, node));
        return;
      }
      let crash = crashes.get(line.id);
      if (crash === undefined) {
        crash = { type: "crash", t: line.t, job: line.id, nodes: [], causes: [] };
        crashes.set(line.id, crash);
        events.push(crash);
      }
      if (!crash.nodes.includes(node)) crash.nodes.push(node);
      if (line.cause !== undefined && !crash.causes.includes(line.cause)) {
        crash.causes.push(line.cause);
      }
    });
    return { fleet: this.#fleet, events };
  }

  #problemOf(event: EventLine, fleet: Fleet): string | undefined {
    if (!this.#nodes.has(event.node)) return `the fleet has no node ${event.node}`;
    if (event.t < fleet.startS) return `its t is ${event.t}, before the start`;
    if (event.type !== "defect") return undefined;
    if (this.#defects.has(event.id)) return `there are two defects ${event.id}`;
    this.#defects.add(event.id);
    return undefined;
  }

  #parseJson(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#invalid("it is not JSON", error);
    }
  }

  #invalid(problem: string, cause?: unknown): TesseraError {
    const details = { log: this.#source, line: this.#line, problem };
    return new TesseraError("E_LOG_INVALID", details, { cause });
  }
}

function eventOf({ type, t, id, kind, xid, cause }: EventLine, node: number): LogEvent {
  if (type === "defect") return { type, t, node, id, kind };
  if (type === "kernel") return { type, t, node, xid, cause };
  if (type === "repair") return { type, t, node, cause };
  return { type: type === "busy" ? "busy" : "free", t, node };
}

/** A log from its whole text. @throws TesseraError E_LOG_INVALID */
export function parseLog(text: string, source = "the log"): EventLog {
  const reader = new LogReader(source);
  for (const line of text.split("\n")) reader.take(line);
  return reader.finish();
}
