import type { z } from "zod";
import { type FaultName, faultNames } from "../fault-names.ts";
import { faultCatalogue } from "./catalogue.ts";
import type { FaultEntry } from "./fault-entry.ts";

/** One fault, plain: for documents, `tessera chaos faults` and `--json`. */
export interface FaultRow extends Omit<FaultEntry, "params"> {
  readonly params: readonly FaultParamRow[];
}

export interface FaultParamRow {
  readonly name: string;
  readonly default: unknown;
  readonly description: string;
}

/** The whole catalogue, in its order. */
export function faultTable(): readonly FaultRow[] {
  return faultNames.map(rowOf);
}

function rowOf(name: FaultName): FaultRow {
  const { params, ...rest } = faultCatalogue[name];
  const defaults = params.parse({}) as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    params: Object.entries(params.shape).map(([field, schema]) => ({
      name: field,
      default: defaults[field],
      description: (schema as z.ZodType).description ?? "",
    })),
  };
}

/** The catalogue as a table of Markdown. */
export function faultTableMarkdown(): string {
  const lines = faultTable().map(({ name, title, params, targets, worlds, undo, evidence, xids }) =>
    [
      `\`${name}\``,
      `${title}${xids.length > 0 && !title.includes("XID") ? ` (XID ${xids.join(", ")})` : ""}`,
      params.map((one) => `\`${one.name}\` = ${JSON.stringify(one.default)}`).join("<br>") || "–",
      targets.join(", "),
      Object.entries(worlds)
        .filter(([, what]) => what !== null)
        .map(([world, what]) => `${world}: ${what}`)
        .join("<br>"),
      undo ?? "–",
      evidence,
    ].join(" | "),
  );
  return [
    "| fault | what | parameters | targets | worlds | undo | evidence |",
    "|---|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
    "",
  ].join("\n");
}
