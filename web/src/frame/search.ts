import type { ExperimentListView, ExperimentRow } from "../../../src/control/api/experiments.ts";
import type { NodeListView } from "../../../src/control/api/nodes.ts";
import type { RunDetailView } from "../../../src/control/api/runs.ts";
import { apiGet } from "../api/client.ts";
import { toProblem } from "../api/problem.ts";
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

/** What was found, and what could not be asked: that nothing is called so is known only without the latter. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly unasked: readonly { readonly what: string; readonly why: string }[];
}

/** What is called so. One part that cannot be asked does not keep the others from answering. */
export async function search(text: string, signal: AbortSignal): Promise<Found> {
  const parts = await Promise.all([
    part("nodes", nodesCalled(text, signal)),
    part("runs", runCalled(text, signal)),
    part("experiments", experimentsCalled(text, signal)),
  ]);
  return {
    hits: parts.flatMap(({ hits }) => hits),
    unasked: parts.flatMap(({ unasked }) => unasked),
  };
}

async function part(what: string, asked: Promise<readonly Hit[] | Found>): Promise<Found> {
  try {
    const found = await asked;
    return "hits" in found ? found : { hits: found, unasked: [] };
  } catch (error) {
    return { hits: [], unasked: [{ what, why: toProblem(error).message }] };
  }
}

/** The outcome of a search in a sentence or two. */
export function foundWords(text: string, { hits, unasked }: Found): string {
  const found = hits.length === 0 ? "" : `${hits.length} found.`;
  const [first] = unasked;
  if (first === undefined) return found === "" ? `Nothing is called ${text}.` : found;
  const names = unasked.map(({ what }) => what);
  const last = names.pop() ?? "";
  const all = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  const could = `${all.charAt(0).toUpperCase()}${all.slice(1)} could not be asked`;
  return `${found} ${could}: ${first.why}`.trim();
}

async function nodesCalled(text: string, signal: AbortSignal): Promise<Found> {
  const query = { search: text.slice(0, 200), limit: nodesMax };
  const { nodes, untold = [] } = await apiGet<NodeListView>("nodes", query, { signal });
  return {
    hits: nodes.map(({ cluster, name, standing, sku, rack }) => ({
      kind: "node",
      title: name,
      about: `${standing} · ${cluster} · ${sku} · ${rack}`,
      href: pathOf("nodes", cluster, name),
    })),
    unasked: untold.map(({ cluster, problem }) => ({
      what: `nodes of ${cluster}`,
      why: problem ?? "it is being opened.",
    })),
  };
}

async function runCalled(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  if (!idPattern.test(text)) return [];
  const path = `runs/${encodeURIComponent(text)}`;
  const run = await apiGet<RunDetailView>(path, undefined, { signal }).catch(noneOfThatName);
  if (run === undefined) return [];
  const about = `${run.check} on ${run.node}, ${run.verdict ?? run.outcome ?? run.state}`;
  return [{ kind: "run", title: run.id, about, href: pathOf("runs", run.id) }];
}

/** That there is no such run is an answer. */
function noneOfThatName(error: unknown): undefined {
  if (toProblem(error).status !== 404) throw error;
}

async function experimentsCalled(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const query = { limit: experimentsLookedAt };
  const list = await apiGet<ExperimentListView>("experiments", query, { signal });
  return matching(list.experiments, text)
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
