import type { InjectionRecord } from "../../../chaos/record/index.ts";
import type { InjectionMoment } from "../../../chaos/world.ts";
import type { ExperimentDetailView } from "../../api/experiments.ts";
import type { EventWithoutNumber } from "./orders.ts";

const textCharsMax = 500;

/** A fault as the detail of an experiment shows it. */
export function injectionView(one: InjectionRecord): ExperimentDetailView["injections"][number] {
  return {
    id: one.id,
    fault: one.fault,
    target: one.target,
    injectedS: s(one.injectedUs),
    effectS: s(one.effectUs),
    effect: one.effect,
    revertedS: s(one.revertedUs),
  };
}

/** What has just come to be known of a fault, as people watch it. */
export function injectionEvent(moment: InjectionMoment, one: InjectionRecord): EventWithoutNumber {
  const what = `${one.fault} on ${one.target}`;
  const [atUs, text] = {
    injected: [one.injectedUs, `${what}: injected`] as const,
    effect: [one.effectUs, `${what}: ${one.effect ?? "its effect was seen"}`] as const,
    reverted: [one.revertedUs, `${what}: undone`] as const,
  }[moment];
  return {
    atS: s(atUs) ?? 0,
    phase: "method",
    kind: "fault",
    text: text.slice(0, textCharsMax),
    step: null,
    units: null,
  };
}

function s(us: number | null): number | null {
  return us === null ? null : us / 1e6;
}
