import { digestsOf } from "./digest-params.ts";
import type { StepReport } from "./options.ts";
import type { RankStep } from "./step/index.ts";

/** The report of a step, from what any rank of it knows. */
export function reportOf(
  { shard, samples, loss, gradientNorm, skipped }: RankStep,
  o: {
    readonly lossScale: number;
    /** After the step. */
    readonly parameters: Readonly<Record<string, { digest(): string }>>;
  },
): StepReport {
  const { lossScale, parameters } = o;
  let digests: StepReport["digests"] | undefined;
  return {
    step: shard.common.step,
    loss,
    gradientNorm,
    samples,
    skipped,
    lossScale,
    get digests() {
      digests ??= digestsOf(parameters);
      return digests;
    },
  };
}
