import { knownSettings } from "./known-settings.ts";
import type { Problems } from "./problems.ts";
import { didYouMean } from "./suggest.ts";

/** Variables that are not settings: secrets, and what must be known before a file is read. */
export const otherVariables: Readonly<Record<string, string>> = {
  TESSERA_CONFIG: "The configuration file to read, as with `--config`.",
  TESSERA_TOKEN:
    "The administrator's token of the control plane. A secret; wins over `server.tokenFile`.",
  TESSERA_CACHE:
    "Where large things that can be made again are kept, such as compiled kernels and test clusters.",
  TESSERA_CUDA_LIBRARY_PATH:
    "Folders in which GPU libraries are looked for before all others, separated by colons.",
  TESSERA_KERNELS: "Which kernels compute: `wasm` or `typescript`, with the same bits.",
  // What the loop tells the job of a run; `tessera check run` reads them.
  TESSERA_RUN_ID: "In a job: the run it carries out.",
  TESSERA_RUN_TOKEN: "In a job: the token that lets it hand in this run's result. A secret.",
  TESSERA_RESULT_URL: "In a job: where it posts its result.",
  TESSERA_RESULT_DIR: "In a job: the root of the log tree it writes its result to.",
  TESSERA_NODE: "In a job: the node it runs on.",
  TESSERA_CHECK: "In a job: the check it runs.",
  TESSERA_CLUSTER: "In a job: the cluster it belongs to.",
  TESSERA_PLANNED_AT: "In a job: when the run was planned, in seconds since the Unix epoch.",
  TESSERA_RUN_TIMEOUT_MS: "In a job: after this many milliseconds it gives up.",
  TESSERA_CHECK_OPTIONS: "In a job: the options of its check, as JSON.",
  // What a rank that nobody launched is told; `tessera agent rank` reads them.
  TESSERA_RANK: "In a rank: its number, from 0.",
  TESSERA_WORLD_SIZE: "In a rank: how many ranks there are.",
  TESSERA_RENDEZVOUS: "In a rank: where rank 0 is met, as host:port.",
  TESSERA_RENDEZVOUS_BIND: "In rank 0: the address it listens on.",
  TESSERA_RANK_INPUT: "In a rank: what its task is told, as JSON.",
  TESSERA_RANK_SECRET: "In a rank: what all ranks of the run know. A secret.",
  TESSERA_RANK_SECRET_FILE: "In a rank: the file with that secret.",
  TESSERA_RANK_LINES:
    "In a rank that `--on slurm` started: 1 says that the launcher reads its output.",
  // What processes of a chaos run are told; a user's own job may start `tessera` again.
  TESSERA_CHAOS_RUN: "In a process of a chaos run: the run it was started for.",
  TESSERA_CHAOS_FOLDER:
    "In a program that a chaos run starts: a folder of its own for checkpoints, which goes with the run.",
  // What hardware tests read; see docs/hardware.md.
  TESSERA_FAULT_API_TOKEN: "The token that the fault API knows the caller by. A secret.",
  TESSERA_FAULT_API_URL:
    "In hardware tests: where the fault API listens; a port is forwarded to it without.",
  TESSERA_CUDA_FAULT_CONTROL:
    "In a process under test: the control block that the CUDA shim obeys; set with its LD_PRELOAD.",
  TESSERA_ENABLE_HW_FAULTS: "In hardware tests: 1 lets them break what they are aimed at.",
  TESSERA_HW_NAMESPACE: "In hardware tests: the namespace under test.",
  TESSERA_HW_DEPLOYMENT: "In hardware tests: the workload under test.",
  TESSERA_HW_KIND: "In hardware tests: what that workload is; a Deployment without.",
  TESSERA_HW_CONTEXT: "In hardware tests: the context of the kubeconfig.",
  TESSERA_CAMPAIGN_SEED: "In a pod or job of a campaign: the seed of the campaign.",
  TESSERA_CAMPAIGN_RANGES: "In a pod or job of a campaign: the runs of each, as `0:250,250:500`.",
  TESSERA_CAMPAIGN_FOLDER: "In a job of a campaign: its folder on the shared file system.",
  TESSERA_PROGRAM: "In a job of Slurm: the `tessera` program that its script starts.",
};

/** The settings the environment gives, by key. An empty variable counts as not set. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  problems: Problems,
): ReadonlyMap<string, { readonly variable: string; readonly text: string }> {
  const keys = new Map(
    knownSettings.flatMap(({ variable, key }) => (variable === undefined ? [] : [[variable, key]])),
  );
  const values = new Map<string, { variable: string; text: string }>();
  const given = Object.entries(env).filter(([name]) => name.startsWith("TESSERA_"));
  for (const [variable, text] of given.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (text === undefined || text === "" || isServiceLink(variable, text)) continue;
    const key = keys.get(variable);
    if (key !== undefined) values.set(key, { variable, text });
    else if (!Object.hasOwn(otherVariables, variable)) {
      problems.add({ name: variable }, () => {
        return `unknown environment variable${didYouMean(variable, [...keys.keys(), ...Object.keys(otherVariables)])}`;
      });
    }
  }
  return values;
}

/**
 * Kubernetes gives every pod variables for each Service of its namespace. For a Service named
 * `tessera-server` one of them is `TESSERA_SERVER_PORT=tcp://10.0.0.1:7070`, which nobody meant
 * as a setting.
 */
function isServiceLink(variable: string, text: string): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(variable)) return true;
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(variable)) return true;
  return variable.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(text);
}
