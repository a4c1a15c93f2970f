import { madSigma, medianOf } from "../classify/stats/robust.ts";
import type { BaselineFigure } from "../history/history.ts";
import type { RunRecord } from "../run.ts";
import { type FigureLevels, figureLevels } from "./figure-levels.ts";

/** What is usual for each figure that enough nodes have. */
export function learnFigures(
  runs: readonly RunRecord[],
  nodesMin: number,
): Readonly<Record<string, BaselineFigure>> {
  const names = new Set(runs.flatMap(({ result }) => Object.keys(result?.figures ?? {})));
  const learned: Record<string, BaselineFigure> = {};
  for (const name of [...names].toSorted()) {
    const figure = learnFigure(name, runs, nodesMin);
    if (figure !== undefined) learned[name] = figure;
  }
  return learned;
}

function learnFigure(
  name: string,
  runs: readonly RunRecord[],
  nodesMin: number,
): BaselineFigure | undefined {
  const figures = runs.flatMap(({ intent, result }) => {
    const figure = result?.figures[name];
    return figure === undefined ? [] : [{ node: intent.node, figure }];
  });
  const higherIsBetter = mostCommon(figures.map(({ figure }) => figure.higherIsBetter)) ?? true;
  const unit = mostCommon(figures.map(({ figure }) => figure.unit ?? "")) ?? "";
  const byNode = new Map<string, FigureLevels[]>();
  for (const { node, figure } of figures) {
    if (figure.higherIsBetter !== higherIsBetter) continue;
    const levels = figureLevels(figure, unit);
    if (levels === undefined) continue;
    const known = byNode.get(node);
    if (known === undefined) byNode.set(node, [levels]);
    else known.push(levels);
  }
  if (byNode.size < nodesMin) return undefined;
  const centres = [...byNode.values()].map((own) => medianOf(own.map(({ centre }) => centre)));
  const tails = [...byNode.values()].map((own) => medianOf(own.map(({ tail }) => tail)));
  const median = medianOf(centres);
  const runSigma = scatterWithinNodes([...byNode.values()]);
  return {
    higherIsBetter,
    unit,
    median,
    sigma: madSigma(centres, median),
    ...(runSigma === undefined ? {} : { runSigma }),
    tail: medianOf(tails),
    nodes: byNode.size,
    runs: [...byNode.values()].reduce((sum, own) => sum + own.length, 0),
  };
}

/** How runs of one node scatter about its middle, over all nodes with at least two. */
function scatterWithinNodes(nodes: readonly (readonly FigureLevels[])[]): number | undefined {
  const distances = nodes.flatMap((own) => {
    if (own.length < 2) return [];
    const middle = medianOf(own.map(({ centre }) => centre));
    // The middle of few runs lies among them, so they seem closer together than they are.
    const few = Math.sqrt(own.length / (own.length - 1));
    return own.map(({ centre }) => few * (centre - middle));
  });
  return distances.length === 0 ? undefined : madSigma(distances, 0);
}

function mostCommon<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
