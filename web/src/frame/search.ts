import type { ExperimentListView, ExperimentRow } from "../../../src/control/api/experiments.ts";
import type { NodeListView } from "../../../src/control/api/nodes.ts";
import type { RunDetailView } from "../../../src/control/api/runs.ts";
import { apiGet } from "../api/client.ts";
import { pathOf } from "../route-match.ts";

export interface Hit {
  readonly kind: "node" | "run" | "experiment";
  readonly title: string;
  readonly about: string;
  readonly href: string;
}

const nodesMax = 8;
const experimentsMax = 5;
const experimentsLookedAt = 200;
/** What may be the id of a run: shorter texts are names. */
const idPattern = /^[\w.:-]{8,}$/;

/** What is called so. A part that cannot be asked gives nothing: the others still do. */
export async function search(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const found = await Promise.all([
    nodesCalled(text, signal),
    runCalled(text, signal),
    experimentsCalled(text, signal),
  ]);
  return found.flat();
}

async function nodesCalled(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const query = { search: text.slice(0, 200), limit: nodesMax };
  const list = await apiGet<NodeListView>("nodes", query, { signal }).catch(() => undefined);
  return (list?.nodes ?? []).map(({ cluster, name, standing, sku, rack }) => ({
    kind: "node",
    title: name,
    about: `${standing} · ${cluster} · ${sku} · ${rack}`,
    href: pathOf("nodes", cluster, name),
  }));
}

async function runCalled(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  if (!idPattern.test(text)) return [];
  const path = `runs/${encodeURIComponent(text)}`;
  const run = await apiGet<RunDetailView>(path, undefined, { signal }).catch(() => undefined);
  if (run === undefined) return [];
  const about = `${run.check} on ${run.node}, ${run.verdict ?? run.outcome ?? run.state}`;
  return [{ kind: "run", title: run.id, about, href: pathOf("runs", run.id) }];
}

async function experimentsCalled(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const query = { limit: experimentsLookedAt };
  const list = await apiGet<ExperimentListView>("experiments", query, { signal }).catch(
    () => undefined,
  );
  return matching(list?.experiments ?? [], text)
    .slice(0, experimentsMax)
    .map(({ id, title, state, outcome, world }) => ({
      kind: "experiment",
      title,
      about: `${id} · ${world} · ${outcome ?? state}`,
      href: pathOf("experiments", id),
    }));
}

function matching(rows: readonly ExperimentRow[], text: string): readonly ExperimentRow[] {
  const wanted = text.toLowerCase();
  return rows.filter(
    ({ id, title }) => id.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted),
  );
}
