import { pino } from "pino";
import type { Clock } from "../time/clock.ts";
import { formatPretty } from "./pretty.ts";
import { redactFields, redactValue } from "./redact-value.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** pino's logger; `child({ node })` gives one that adds fields to every record. */
export type Logger = pino.Logger;

export interface LoggerOptions {
  /** The least important level that is written. */
  readonly level: LogLevel;
  /** One JSON object a line, or lines for people; `auto` is pretty on a terminal. */
  readonly format: "auto" | "json" | "pretty";
  /** Where the lines go, usually stderr. */
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly clock: Clock;
  /** Colours in pretty lines. @default whether the stream is a terminal */
  readonly color?: boolean;
}

/**
 * A logger whose output never holds what looks like a secret (see `redact`), in messages, fields,
 * child fields and error causes alike. Errors go under `err`: `log.error({ err }, "what failed")`.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { level, stream, clock } = options;
  const isTerminal = stream.isTTY === true;
  const pretty = options.format === "auto" ? isTerminal : options.format === "pretty";
  const color = options.color ?? isTerminal;

  const write = (line: string) => {
    const record = redactLine(line);
    stream.write(pretty ? formatPretty(record, { color }) : `${JSON.stringify(record)}\n`);
  };
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.nowMs()).toISOString()}"`,
      // Errors are plain values by then; pino's own way with them would join causes into one text.
      serializers: { err: (value: unknown) => value },
      hooks: {
        // Values put into the message (`%j`) are still values here, and known by their names.
        logMethod(args, method) {
          const [first, ...rest]: readonly unknown[] = args;
          Reflect.apply(method, this, [first, ...rest.map((value) => redactValue(value))]);
        },
      },
      formatters: {
        level: (label) => ({ level: label }),
        // Before pino writes JSON: errors, circles and huge values are still themselves.
        log: (fields) => redactFields(fields),
      },
    },
    { write },
  );
}

/** The last gate: whatever way a text took into the record, it passes here. */
function redactLine(line: string): Record<string, unknown> {
  const record: object = JSON.parse(line);
  return redactFields(record);
}
