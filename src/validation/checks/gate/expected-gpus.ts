/** Which GPUs a gate is about. */
export interface ExpectedGpus {
  /** How many the machine must have; undefined when nobody said. */
  readonly count: number | undefined;
  /** Those of the job by N of their device files `/dev/nvidiaN`; undefined when it is about all of the machine. */
  readonly ofJob: readonly number[] | undefined;
  /** Whether they are ours to compute on: a job that names none leaves them to others. */
  readonly isOurs: boolean;
  /** Why the numbers of the job's GPUs are not known although it has some. */
  readonly problem?: string;
}

const numberMax = 1023;

/**
 * From what the caller said, and from what Slurm tells a prolog: the numbers that the device files of the
 * job's GPUs have. The driver has an order of its own.
 */
export function expectedGpus(
  env: Readonly<Record<string, string | undefined>>,
  count: number | undefined,
): ExpectedGpus {
  if (!env["SLURM_JOB_ID"]) return { count, ofJob: undefined, isOurs: true };
  const text = env["SLURM_JOB_GPUS"];
  if (!text) return { count, ofJob: undefined, isOurs: false };
  const ofJob = numbersIn(text);
  if (ofJob !== undefined) return { count, ofJob, isOurs: true };
  const problem = `SLURM_JOB_GPUS is not understood: ${text.slice(0, 100)}`;
  return { count, ofJob: undefined, isOurs: false, problem };
}

/** `0,1,4-7`; undefined for anything else. */
function numbersIn(text: string): readonly number[] | undefined {
  const numbers = new Set<number>();
  for (const part of text.split(",").filter((one) => one !== "")) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from > to || to > numberMax) return undefined;
    for (let number = from; number <= to; number++) numbers.add(number);
  }
  return [...numbers].toSorted((a, b) => a - b);
}
