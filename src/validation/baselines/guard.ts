import { amount, percent } from "../classify/text.ts";
import { conversionFactor } from "../classify/units.ts";
import type { Baseline, BaselineFigure } from "../history/history.ts";
import { lossOf } from "./figure-levels.ts";
import {
  type BaselineOptions,
  type ResolvedBaselineOptions,
  resolveBaselineOptions,
} from "./options.ts";

/** Why a candidate must not come into force by itself. */
export interface GuardObjection {
  /** The figure, or `*` for the whole baseline. */
  readonly figure: string;
  /** By which share the median is worse than the one in force; undefined when it is about else. */
  readonly movement?: number;
  /** The rest of the sentence `It was not activated because …`. */
  readonly reason: string;
}

/**
 * What speaks against a candidate: too few nodes, scatter that has grown out of hand, a figure that
 * is gone, or a median that moved in the bad direction. A baseline that follows a fleet downhill
 * would hide what it is there to show.
 *
 * @param active the one in force; undefined when there is none.
 * @returns every objection, the worst movement first; empty when it may be activated.
 */
export function guardBaseline(
  candidate: Baseline,
  active: Baseline | undefined,
  options: BaselineOptions = {},
): readonly GuardObjection[] {
  const resolved = resolveBaselineOptions(options);
  const own = Object.entries(candidate.figures).flatMap(([name, figure]) =>
    objectionsTo(name, { figure, inForce: active?.figures[name], options: resolved }),
  );
  const gone = Object.keys(active?.figures ?? {})
    .filter((name) => candidate.figures[name] === undefined)
    .map((figure) => ({
      figure,
      reason: `it says nothing about ${figure}, which the one in force does`,
    }));
  const none = Object.keys(candidate.figures).length === 0;
  const empty = none ? [{ figure: "*", reason: "it has no figures" }] : [];
  return [...own, ...gone, ...empty].toSorted((a, b) => movementOf(b) - movementOf(a));
}

function objectionsTo(
  name: string,
  given: {
    readonly figure: BaselineFigure;
    readonly inForce: BaselineFigure | undefined;
    readonly options: ResolvedBaselineOptions;
  },
): readonly GuardObjection[] {
  const { figure, inForce, options } = given;
  const objections: GuardObjection[] = [];
  if (figure.nodes < options.nodesMin) {
    const reason = `${name} rests on ${figure.nodes} nodes, and ${options.nodesMin} are needed`;
    objections.push({ figure: name, reason });
  }
  const scatter = figure.sigma / figure.median;
  const scatterInForce = inForce === undefined ? undefined : inForce.sigma / inForce.median;
  // Scatter that was next to nothing may double without meaning anything.
  const scatterMax =
    scatterInForce === undefined
      ? options.sigmaShareMax
      : Math.max(0.01, options.sigmaGrowthMax * scatterInForce);
  if (!(scatter <= scatterMax)) {
    const reason = `the nodes' ${name} scatters by ${percent(scatter)}, and ${percent(scatterMax)} is the most that is believed`;
    objections.push({ figure: name, reason });
  }
  const moved = inForce === undefined ? undefined : movement(name, { figure, inForce, options });
  return moved === undefined ? objections : [moved, ...objections];
}

function movement(
  name: string,
  given: {
    readonly figure: BaselineFigure;
    readonly inForce: BaselineFigure;
    readonly options: ResolvedBaselineOptions;
  },
): GuardObjection | undefined {
  const { figure, inForce, options } = given;
  const factor = conversionFactor(figure.unit, inForce.unit);
  if (factor === undefined || figure.higherIsBetter !== inForce.higherIsBetter) {
    const reason = `${name} is measured in another way than in the one in force`;
    return { figure: name, reason };
  }
  const median = figure.median * factor;
  const loss = lossOf(median, inForce.median, inForce.higherIsBetter);
  if (loss <= options.worseMax) return undefined;
  const unit = inForce.unit === "" ? undefined : inForce.unit;
  const reason = `the median of ${name} is ${percent(loss)} worse than in the one in force (${amount(median, unit)} against ${amount(inForce.median, unit)}), and ${percent(options.worseMax)} is allowed`;
  return { figure: name, movement: loss, reason };
}

function movementOf(objection: GuardObjection): number {
  return objection.movement ?? 0;
}
