import type { KubeObject } from "../../../platform/kube/index.ts";
import { partVariables, type RunRanges, rangesText } from "../spread/index.ts";

/** Marks the Jobs and pods of one campaign. */
export const campaignLabel = "tessera.dev/campaign";

export interface CampaignJobOptions {
  readonly name: string;
  readonly campaign: string;
  readonly namespace: string;
  readonly image: string;
  /** The program of the image. @default that of our own */
  readonly command?: readonly string[];
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never";
  readonly seed: string;
  /** Of each pod. */
  readonly ranges: readonly RunRanges[];
  /** Pods at once. */
  readonly pods: number;
  readonly cpu: string;
  readonly memory: string;
  readonly deadlineSeconds: number;
}

const commandDefault = ["node", "/app/tessera.mjs"];
const userId = 65_532;
/** A pod on a node that fell silent is replaced after so long, not after five minutes. */
const silentSeconds = 20;

/** An indexed Job: each index makes the runs of its ranges and prints them. */
export function campaignJob(options: CampaignJobOptions): KubeObject {
  const { name, campaign, namespace, ranges, pods, deadlineSeconds } = options;
  const labels = { [campaignLabel]: campaign };
  const spec = {
    completionMode: "Indexed",
    completions: ranges.length,
    parallelism: Math.min(pods, ranges.length),
    // A pod that is lost is made again; a range that fails by itself fails a few times only.
    backoffLimit: ranges.length + 5,
    activeDeadlineSeconds: deadlineSeconds,
    ttlSecondsAfterFinished: 3600,
    template: { metadata: { labels }, spec: podSpec(options) },
  };
  return { metadata: { name, namespace, labels }, ...{ spec } };
}

function podSpec(options: CampaignJobOptions): object {
  const { image, command = commandDefault, imagePullPolicy, seed, ranges, cpu, memory } = options;
  return {
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 5,
    securityContext: {
      runAsUser: userId,
      runAsGroup: userId,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
    tolerations: ["not-ready", "unreachable"].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: silentSeconds,
    })),
    containers: [
      {
        name: "campaign",
        image,
        ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
        command,
        args: ["agent", "chaos-part"],
        env: [
          { name: "HOME", value: "/tmp" },
          { name: partVariables.seed, value: seed },
          { name: partVariables.ranges, value: rangesText(ranges) },
        ],
        resources: { requests: { cpu, memory }, limits: { memory } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
      },
    ],
    volumes: [{ name: "tmp", emptyDir: {} }],
  };
}
