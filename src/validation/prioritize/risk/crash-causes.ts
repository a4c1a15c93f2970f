/** Chance that a job has a bug that crashes it, before it crashed, and how often it then does. */
const bug = { chance: 0.003, crashesPerHour: 0.3 } as const;
const jobsMax = 20_000;
const stormWindowS = 1800;
/** So many times more crashes than usual are a storm, which no node is to blame for. */
const stormFactor = 4;

/** What may crash a job besides its nodes: a bug of its own, or something that hits the whole fleet. */
export class OtherCauses {
  readonly #bugChance = new Map<string, number>();
  readonly #startS: number;
  #recent: number[] = [];
  #crashes = 0;

  constructor(startS: number) {
    this.#startS = startS;
  }

  /** The rate of other causes for a crash that happens now. */
  rateOf(
    job: string,
    { nowS, soundRate }: { readonly nowS: number; readonly soundRate: number },
  ): number {
    this.#recent = this.#recent.filter((atS) => atS > nowS - stormWindowS);
    const usual = (this.#crashes * stormWindowS) / Math.max(stormWindowS, nowS - this.#startS);
    const ratio = this.#recent.length / (usual + 1);
    const storm = ratio > stormFactor ? ratio * soundRate : 0;
    return this.#chanceOf(job) * bug.crashesPerHour + storm;
  }

  /** Takes note of a crash. @param nodesRate the rate at which its nodes were expected to cause one. */
  note(
    job: string,
    { nowS, nodesRate }: { readonly nowS: number; readonly nodesRate: number },
  ): void {
    this.#recent.push(nowS);
    this.#crashes++;
    const before = this.#chanceOf(job);
    const withBug = before * (bug.crashesPerHour + nodesRate);
    if (this.#bugChance.size >= jobsMax) this.#forgetOldest();
    this.#bugChance.delete(job);
    this.#bugChance.set(job, withBug / (withBug + (1 - before) * nodesRate));
  }

  #chanceOf(job: string): number {
    return this.#bugChance.get(job) ?? bug.chance;
  }

  #forgetOldest(): void {
    const [oldest] = this.#bugChance.keys();
    if (oldest !== undefined) this.#bugChance.delete(oldest);
  }
}
