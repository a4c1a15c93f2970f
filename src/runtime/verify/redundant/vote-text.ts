import type { Vote } from "./vote-types.ts";

const listed = 8;

/** A vote in a few lines. */
export function textOf(
  vote: Pick<Vote<unknown>, "verdict" | "outvoted" | "open" | "independence"> & {
    readonly devices: number;
  },
): string {
  const { verdict, outvoted, open, independence, devices } = vote;
  const lines = [headOf(verdict, devices)];
  for (const { device, ranks } of outvoted.slice(0, listed)) {
    const where = ranks.length === 0 ? "" : `, on the parts of ranks ${shown(ranks)}`;
    lines.push(`device ${device} is outvoted${where}`);
  }
  for (const { rank, devices: voters, reason } of open.slice(0, listed)) {
    lines.push(`${rank === undefined ? "" : `rank ${rank}'s part: `}${reason} (${shown(voters)})`);
  }
  if (independence === "same-device") {
    lines.push("the same device voted each time: a fault that stays agrees with itself");
  }
  return lines.join("\n");
}

function headOf(verdict: Vote<unknown>["verdict"], devices: number): string {
  if (verdict === "agreed") return `agreed: all devices that voted computed the same bits`;
  if (verdict === "outvoted") return `outvoted: a majority of ${devices} agrees on every part`;
  return `inconclusive: not every part has a majority of ${devices}`;
}

function shown(values: readonly (string | number)[]): string {
  const more = values.length > listed ? `, … (${values.length})` : "";
  return `${values.slice(0, listed).join(", ")}${more}`;
}
