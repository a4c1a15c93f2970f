import type { ClearedNode } from "./clear-nodes.ts";

/** What was or would be done, for people. */
export function clearedLines(
  nodes: readonly ClearedNode[],
  { isDryRun }: { readonly isDryRun: boolean },
): readonly string[] {
  if (nodes.length === 0) return ["Nothing of Tessera's is on these nodes."];
  const lines = nodes.map(({ cluster, node, opens, takesOff, error }) => {
    const deeds = [
      ...(opens ? [isDryRun ? "would be opened" : "was opened"] : []),
      ...(takesOff.length > 0
        ? [`${isDryRun ? "would lose" : "lost"} ${takesOff.join(", ")}`]
        : []),
    ];
    const what = error === undefined ? deeds.join("; ") : `is as it was: ${error.message}`;
    return `${node} of ${cluster} ${what}`;
  });
  return isDryRun ? [...lines, "Nothing was changed; `--yes` does it."] : lines;
}
