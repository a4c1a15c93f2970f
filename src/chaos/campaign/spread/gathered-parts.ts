import { version } from "../../../version.ts";
import { type CampaignPart, joinParts } from "../campaign-part.ts";
import { missingIn, type RunRange, type RunRanges, runCount } from "./split-range.ts";

export interface GatheredPartsOptions {
  readonly seed: string;
  readonly range: RunRange;
  /** Of an earlier start: these runs are not made again. @default nothing */
  readonly known?: Pick<CampaignPart, "runs" | "canaries">;
  /** Hears of each part as soon as it is read, and keeps it. */
  readonly onPart?: (part: CampaignPart) => Promise<void>;
}

/** What of a campaign that others make is here by now, and what is not. */
export class GatheredParts {
  readonly #options: GatheredPartsOptions;
  readonly #parts: CampaignPart[] = [];
  readonly #indexes = new Set<number>();

  constructor(options: GatheredPartsOptions) {
    this.#options = options;
    const { seed, known } = options;
    if (known !== undefined) {
      const format = "tessera-chaos-campaign-part/1";
      this.#take({ format, version, seed, ...known });
    }
  }

  /** Runs of the campaign's range that nobody has made yet. */
  get missing(): readonly RunRange[] {
    return this.missingIn(this.#options.range);
  }

  /** How many runs of the campaign's range are here. */
  get done(): number {
    const { from, to } = this.#options.range;
    return to - from - runCount(this.missing);
  }

  missingIn(range: RunRange): readonly RunRange[] {
    return missingIn(range, this.#indexes);
  }

  /** What is missing of the campaign's range when these are made as well. */
  missingBeside(ranges: readonly RunRange[]): readonly RunRange[] {
    const known = new Set(this.#indexes);
    for (const { from, to } of ranges) for (let index = from; index < to; index++) known.add(index);
    return missingIn(this.#options.range, known);
  }

  async add(part: CampaignPart): Promise<void> {
    await this.#options.onPart?.(part);
    this.#take(part);
  }

  /** The campaign's part, when nothing is missing. */
  whole(): CampaignPart {
    const { from, to } = this.#options.range;
    const joined = joinParts(this.#parts);
    return { ...joined, runs: joined.runs.filter(({ index }) => index >= from && index < to) };
  }

  #take(part: CampaignPart): void {
    this.#parts.push(part);
    for (const { index } of part.runs) this.#indexes.add(index);
  }
}

/** Whether a part has exactly the runs of these ranges. */
export function holdsRanges(part: CampaignPart, seed: string, ranges: RunRanges): boolean {
  if (part.seed !== seed || part.runs.length !== runCount(ranges)) return false;
  let at = 0;
  for (const { from, to } of ranges) {
    for (let index = from; index < to; index++) if (part.runs[at++]?.index !== index) return false;
  }
  return true;
}
