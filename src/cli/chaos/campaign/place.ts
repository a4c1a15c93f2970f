import type { CampaignPart } from "../../../chaos/campaign/index.ts";
import type { Invocation } from "../../invocation.ts";
import { usageError } from "../../usage-error.ts";
import type { KeptCampaign } from "./kept-campaign.ts";
import { type KubernetesPlace, readKubernetesPlace, runInPods } from "./on-kubernetes.ts";
import { readSlurmPlace, runInTasks, type SlurmPlace } from "./on-slurm.ts";
import type { CampaignRequest } from "./request.ts";

/** Where the runs of a campaign are made, if not here. */
export type CampaignPlace =
  | { readonly on: "kubernetes"; readonly place: KubernetesPlace }
  | { readonly on: "slurm"; readonly place: SlurmPlace };

/** A campaign that others make. */
export interface SpreadCampaign {
  readonly request: CampaignRequest;
  readonly seed: string;
  readonly kept: KeptCampaign;
  readonly onProgress: (progress: {
    readonly done: number;
    readonly total: number;
    readonly note?: string;
  }) => void;
}

const command = "chaos campaign";
const optionsOf = {
  kubernetes: ["pods", "image"],
  slurm: ["tasks", "at-once", "time", "partition", "account", "qos", "results"],
} as const;

/** What `--on` asks for; undefined: the runs are made here. @throws E_USAGE */
export function readPlace(
  invocation: Pick<Invocation, "options" | "io">,
): CampaignPlace | undefined {
  const { options } = invocation;
  const { on } = options;
  for (const place of ["kubernetes", "slurm"] as const) {
    const needless = optionsOf[place].find((name) => options[camel(name)] !== undefined);
    if (on !== place && needless !== undefined) {
      throw usageError(command, `--${needless} belongs to --on ${place}.`);
    }
  }
  if (on !== "kubernetes" && on !== "slurm") return undefined;
  if (options["minutes"] !== undefined) {
    throw usageError(command, "--minutes is for campaigns on this machine; give --runs.");
  }
  return on === "slurm"
    ? { on, place: readSlurmPlace(invocation) }
    : { on, place: readKubernetesPlace(invocation) };
}

/** Makes the runs there, and keeps what is found in the book. */
export function runThere(
  invocation: Invocation,
  { on, place }: CampaignPlace,
  about: SpreadCampaign,
): Promise<CampaignPart> {
  return on === "slurm"
    ? runInTasks(invocation, { ...about, place })
    : runInPods(invocation, { ...about, place });
}

/** As an option's value is found: `--at-once` is `atOnce`. */
function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
