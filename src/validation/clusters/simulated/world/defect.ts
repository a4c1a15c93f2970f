import type { RngStream } from "../../../../platform/rng/index.ts";
import { type DefectKind, defectKinds } from "../../../fleet-log/index.ts";
import { type SimulatedDefectKind, simulatedDefectKinds } from "../truth.ts";

/** A defect of a simulated node. */
export interface Defect {
  readonly id: string;
  readonly node: number;
  readonly kind: SimulatedDefectKind;
  /** From 0 to 1: how bad, beside others of its kind. */
  readonly severity: number;
  /** The GPU it is about, where it is about one. */
  readonly gpu: number;
  readonly onsetMs: number;
  endMs: number | undefined;
}

interface KindFacts {
  /** Which kind of a fleet log it betrays itself like: by crashes and kernel errors. */
  readonly like: string;
  readonly showsIn: readonly string[];
}

const factsOf: Readonly<Record<SimulatedDefectKind, KindFacts>> = {
  "uniform-loss": { like: "slow-gpu", showsIn: ["dl-unit"] },
  stalls: { like: "hbm", showsIn: ["dl-unit"] },
  "slow-gpu": { like: "slow-gpu", showsIn: ["dl-unit"] },
  "slow-decay": { like: "gpu-bus", showsIn: ["dl-unit"] },
  "wrong-answers": { like: "corruption", showsIn: ["dl-unit"] },
  "dead-link": { like: "nvlink", showsIn: ["nccl-loopback"] },
  "slow-storage": { like: "nic", showsIn: ["storage-io"] },
};

/** What a kind of defect does to jobs and to the kernel log. */
export function evidenceOf(kind: SimulatedDefectKind): DefectKind | undefined {
  return defectKinds.find(({ name }) => name === factsOf[kind].like);
}

/** The checks a kind of defect can show in. */
export function showsIn(kind: SimulatedDefectKind): readonly string[] {
  return factsOf[kind].showsIn;
}

/** The kinds to draw from, as likely as what they are like is in fleet logs. */
export function weightedKinds(
  kinds: readonly SimulatedDefectKind[],
): readonly { readonly kind: SimulatedDefectKind; readonly weight: number }[] {
  const alike = (like: string) =>
    simulatedDefectKinds.filter((kind) => factsOf[kind].like === like).length;
  return kinds.map((kind) => {
    const { weight = 0 } = evidenceOf(kind) ?? {};
    return { kind, weight: weight / alike(factsOf[kind].like) };
  });
}

/** Draws what is particular about a defect. */
export function drawDefect(
  random: RngStream,
  facts: Pick<Defect, "id" | "node" | "kind" | "onsetMs"> & { readonly gpus: number },
): Defect {
  const { gpus, ...rest } = facts;
  return { ...rest, severity: random.float(), gpu: random.int(gpus), endMs: undefined };
}
