import { z } from "zod";
import { caseReportSchema, type DeviceReport, deviceSchema } from "../device-report.ts";

const lineSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("device"),
    device: deviceSchema,
    versions: z.record(z.string(), z.string()),
  }),
  z.object({ kind: z.literal("begin"), key: z.string(), round: z.number() }),
  z.object({ kind: z.literal("case"), case: caseReportSchema }),
  z.object({ kind: z.literal("done") }),
]);
export type TorchLine = z.output<typeof lineSchema>;

/** A line of the script; undefined for what other libraries print. */
export function readTorchLine(line: string): TorchLine | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The report of a device out of all its lines; undefined when it did not come to its end. */
export function reportOfLines(lines: readonly TorchLine[]): DeviceReport | undefined {
  const first = lines.find((line) => line.kind === "device");
  if (first === undefined || lines.at(-1)?.kind !== "done") return undefined;
  const { device, versions } = first;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return {
    device,
    softwareKey: ["torch engine 1", device.model, ...named].join(", "),
    versions,
    cases: lines.flatMap((line) => (line.kind === "case" ? [line.case] : [])),
    notCovered: {},
  };
}
