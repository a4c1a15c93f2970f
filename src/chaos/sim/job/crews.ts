import assert from "node:assert/strict";
import type { Assignment } from "../../elastic/index.ts";
import { Crew } from "./crew.ts";
import type { Exchanges } from "./exchanges.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";
import type { StepValues } from "./step-values.ts";

/** Nobody is in an older one: who was is told to stop or killed before another generation begins. */
const crewsKept = 4;

/** The crews of now, by generation and order to restore; the first rank to ask makes one. */
export class Crews {
  readonly #context: JobContext;
  readonly #exchanges: Exchanges;
  readonly #values: StepValues;
  readonly #crews = new Map<string, Crew>();

  constructor(
    context: JobContext,
    parts: { readonly exchanges: Exchanges; readonly values: StepValues },
  ) {
    this.#context = context;
    this.#exchanges = parts.exchanges;
    this.#values = parts.values;
  }

  join(process: SimProcess, { generation, rank, shape }: Assignment): Crew {
    process.rank = rank;
    process.attempt = 0;
    return this.#enlist(process, this.#crewOf(generation, 0, shape));
  }

  restoring(process: SimProcess): Crew {
    const before = process.crew;
    assert(before !== null, "who restores has met the others");
    process.attempt++;
    return this.#enlist(process, this.#crewOf(before.generation, process.attempt, before.shape));
  }

  #enlist(process: SimProcess, crew: Crew): Crew {
    const { rank } = process;
    const values = this.#values;
    process.crew = crew;
    process.program = crew.programs[crew.stageOf(rank)] as Uint8Array;
    process.stateDigest = () => values.digestOf(crew, rank);
    crew.members[rank] = process;
    return crew;
  }

  #crewOf(generation: number, attempt: number, shape: Crew["shape"]): Crew {
    const key = `${generation}.${attempt}`;
    const known = this.#crews.get(key);
    if (known !== undefined) return known;
    const { bytes, workload } = this.#context;
    const { tp, dp, pp } = shape;
    const activations = (bytes.activationsPerSample * workload.job.batch) / dp;
    const exchanges = this.#exchanges;
    const crew = new Crew({
      generation,
      attempt,
      shape,
      bytes: {
        tp: Math.ceil(activations),
        dp: Math.ceil(bytes.gradients / (tp * pp)),
        pp: Math.ceil(activations / pp),
      },
      newGroup: (make) => exchanges.newGroup(make),
      newChannel: (make) => exchanges.newChannel(make),
      leaveOut: (groups) => exchanges.leaveOut(groups),
    });
    this.#crews.set(key, crew);
    const [oldest] = this.#crews;
    if (this.#crews.size > crewsKept && oldest !== undefined) {
      exchanges.forget(oldest[1]);
      this.#crews.delete(oldest[0]);
    }
    return crew;
  }
}
