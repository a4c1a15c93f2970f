/** One record of a kernel log. */
export interface KernelRecord {
  /** Its number in the log; counts from 0 at every start of the machine. */
  readonly sequence: number;
  /** Facility times 8 plus severity: 3 is an error of the kernel, 11 one that a program wrote. */
  readonly priority: number;
  /** Since the start of the machine. */
  readonly timestampUs: number;
  readonly text: string;
}

/** What programs may write with: the kernel never lets them pass for itself. */
const userFacility = 1;

/** The priority under which a line of a program is kept. */
export function userPriority(severity: number): number {
  return (userFacility << 3) | severity;
}

/**
 * A record as the kernel hands it out: `11,1234,5678901,-;text`, with `\x0a` for what cannot be
 * printed. Undefined for the variables that may follow a record, and for anything else.
 */
export function parseKmsgRecord(line: string): KernelRecord | undefined {
  const match = /^(\d{1,9}),(\d{1,15}),(\d{1,15}),[^;]*;(.*)$/s.exec(line);
  if (match === null) return undefined;
  const [, priority, sequence, timestampUs, text = ""] = match;
  return {
    sequence: Number(sequence),
    priority: Number(priority),
    timestampUs: Number(timestampUs),
    text: unescaped(text),
  };
}

/** The same form, with its end of line. */
export function formatKmsgRecord({ priority, sequence, timestampUs, text }: KernelRecord): string {
  return `${priority},${sequence},${timestampUs},-;${escaped(text)}\n`;
}

/** As the kernel does it: byte by byte, whatever is not printable ASCII, and the escape itself. */
function escaped(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte < 32 || byte >= 127 || byte === 92
        ? `\\x${byte.toString(16).padStart(2, "0")}`
        : String.fromCharCode(byte),
    )
    .join("");
}

/** Several escaped bytes in a row are one character of UTF-8. */
function unescaped(text: string): string {
  return text.replace(/(?:\\x[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll(/\\x/gi, ""), "hex").toString("utf8"),
  );
}
