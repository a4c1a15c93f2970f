import { chartPlaces, chartRights, chartSwitches } from "./chart-rights.ts";
import { code, table } from "./markdown.ts";

/** The table of docs/operations.md: who may do what. */
export function operationsReference(): string {
  const rows = chartRights.map(({ account, when, resource, verbs, names, where, why }) => [
    code(account === "" ? "tessera" : `tessera-${account}`),
    chartSwitches[when],
    names === undefined ? code(resource) : `${code(resource)}: ${names}`,
    verbs.join(", "),
    chartPlaces[where],
    why,
  ]);
  return `### Every right

${table(["account", "there when", "resource", "verbs", "where", "what for"], rows)}`;
}
