import type { FaultRow } from "../../chaos/fault/catalogue/index.ts";
import { tableOf } from "../text-table.ts";

const worlds = ["sim", "host", "kubernetes", "slurm"] as const;

/** One line a fault. */
export function showFaults(rows: readonly FaultRow[]): readonly string[] {
  return [
    ...tableOf([
      ["FAULT", "HITS", "WORLDS", "WHAT"],
      ...rows.map(({ name, title, targets, worlds: does }) => [
        name,
        targets.join(", "),
        worlds.filter((world) => does[world] !== null).join(", "),
        title,
      ]),
    ]),
    "",
    "`tessera chaos faults NAME` says what can be set and what it does where.",
  ];
}

/** All there is to know about one. */
export function showFault(row: FaultRow): readonly string[] {
  const { name, title, targets, params, worlds: does, ending, undo, evidence } = row;
  const facts = [
    ["  hits", targets.join(", ")],
    ["  ends", ending === "instant" ? "at once" : "when it is undone"],
    ["  undo", undo ?? "there is nothing to undo"],
    ["  evidence", evidence],
    ...worlds.map((world) => [`  ${world}`, does[world] ?? "cannot do it"]),
  ];
  const settings = params.map(({ name: field, default: fallback, description }) => [
    `  ${field}`,
    `${description} (${JSON.stringify(fallback)})`,
  ]);
  return [
    `${name}: ${title}`,
    ...tableOf(facts),
    "",
    params.length === 0
      ? "It takes no parameters."
      : "Parameters, with what they are when not given:",
    ...tableOf(settings),
  ];
}
