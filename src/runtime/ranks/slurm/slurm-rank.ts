import { expandHostlist } from "../../../platform/slurm/hostlist.ts";
import { formatAddress } from "../wire/address.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Above the ports that Linux gives to whoever asks for any. */
const portFirst = 61_000;
const portCount = 4500;
/** Steps of one job and those of the next seldom share a port. */
const jobStride = 13;

/** Where rank 0 of a step listens: known to all ranks without a word, and another for each job of a node. */
export function rendezvousPort(of: { readonly jobId: number; readonly step: number }): number {
  return portFirst + ((of.jobId * jobStride + of.step) % portCount);
}

/** Where the ranks of the step meet that this process is a task of; undefined when it is none. */
export function rendezvousOfStep(env: Env): string | undefined {
  const [jobId, step] = [env["SLURM_JOB_ID"], env["SLURM_STEP_ID"]].map(wholeNumber);
  const [first] = namesIn(env["SLURM_STEP_NODELIST"] ?? "");
  if (jobId === undefined || step === undefined || first === undefined) return undefined;
  const [launcher] = namesIn(env["SLURM_JOB_NODELIST"] ?? "");
  // A batch script runs on the job's first node, whose address srun tells: a node may know its own name
  // as that of its loop-back interface, where no other would find it.
  const isBatch = env["ENVIRONMENT"] === "BATCH" && launcher === first;
  const address = isBatch ? (env["SLURM_LAUNCH_NODE_IPADDR"] ?? "") : "";
  const host = address === "" ? first : address;
  return formatAddress({ host, port: rendezvousPort({ jobId, step }) });
}

/** The rank's number among those of its node, where srun started it. */
export function localRankOfStep(env: Env): number | undefined {
  // A launcher of our own may run inside a job, whose variables are not those of its ranks.
  return (env["TESSERA_RANK"] ?? "") === "" ? wholeNumber(env["SLURM_LOCALID"]) : undefined;
}

function namesIn(nodes: string): readonly string[] {
  try {
    return expandHostlist(nodes);
  } catch {
    return [];
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
