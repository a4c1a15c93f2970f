/** A message of the kernel. */
export interface KernelLine {
  /** When it was logged, since the epoch; null when the log does not tell. */
  readonly atMs: number | null;
  /** Its number in the kernel's own log; null in other logs. */
  readonly sequence: number | null;
  readonly text: string;
}

/** What a time since boot is counted from. */
export interface BootTime {
  /** When the machine started, since the epoch; NaN when nobody knows. */
  readonly bootedAtMs: number;
}

/**
 * A record of /dev/kmsg: `6,1234,5678901,-;text`, with microseconds since boot, and with `\x0a` where
 * the message has a new line. Undefined for the variables that may follow a record, and for anything
 * else.
 */
export function parseKmsgLine(line: string, { bootedAtMs }: BootTime): KernelLine | undefined {
  const match = /^\d+,(\d+),(\d+),[^;]*;(.*)$/s.exec(line);
  if (match === null) return undefined;
  const [, sequence, sinceBootUs, text = ""] = match;
  return {
    atMs: timeOrNull(bootedAtMs + Number(sinceBootUs) / 1000),
    sequence: Number(sequence),
    text: text.replace(/\\x([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  };
}

/** A line of `journalctl --output short-unix`: `1763235673.123456 host kernel: text`. */
export function parseJournalLine(line: string): KernelLine | undefined {
  const match = /^(\d+\.\d+) \S+ kernel: (.*)$/s.exec(line);
  if (match === null) return undefined;
  const [, seconds, text = ""] = match;
  return { atMs: Math.round(Number(seconds) * 1e6) / 1000, sequence: null, text };
}

/** A line of `dmesg`: `[ 1843.308145] text`, with seconds since boot. */
export function parseDmesgLine(line: string, { bootedAtMs }: BootTime): KernelLine | undefined {
  const match = /^\[ *(\d+\.\d+)\] (.*)$/s.exec(line);
  if (match === null) return undefined;
  const [, sinceBootS, text = ""] = match;
  return { atMs: timeOrNull(bootedAtMs + Number(sinceBootS) * 1000), sequence: null, text };
}

function timeOrNull(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}

/** Messages of several lines put together again: journalctl and dmesg indent what goes on. */
export function splitMessages(output: string): string[] {
  const messages: string[] = [];
  for (const line of output.split("\n")) {
    const before = messages.at(-1);
    if (before !== undefined && /^\s+\S/.test(line)) {
      messages[messages.length - 1] = `${before}\n${line.trim()}`;
    } else {
      messages.push(line);
    }
  }
  return messages;
}
