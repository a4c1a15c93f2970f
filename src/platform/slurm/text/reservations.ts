import { expandHostlist } from "../hostlist.ts";
import { parseTimeMs } from "../times.ts";
import type { SlurmReservation } from "../words.ts";
import { commaWords, readRecords } from "./records.ts";

/** The reservations of `scontrol show reservations`. */
export function reservationsOfText(printed: string): readonly SlurmReservation[] {
  return readRecords(printed, "ReservationName", "reservations").map((record) => ({
    name: record.need("ReservationName", (text) => text),
    nodes: record.need("Nodes", expandHostlist),
    users: commaWords(record.text("Users")),
    flags: commaWords(record.text("Flags")),
    startAtMs: record.need("StartTime", parseTimeMs) ?? 0,
    endAtMs: record.may("EndTime", parseTimeMs),
  }));
}
