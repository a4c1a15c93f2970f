import { expect } from "vitest";
import type { KubeObject } from "../../../../../src/platform/kube/index.ts";
import type { PodSpec } from "../../../../../src/validation/clusters/kubernetes/objects.ts";
import {
  type KubernetesSettings,
  type ResolvedKubernetesSettings,
  resolveKubernetesSettings,
} from "../../../../../src/validation/clusters/kubernetes/settings.ts";
import { defaultJobTemplate } from "../../../../../src/validation/clusters/kubernetes/template/default-job.ts";
import { compileTemplate } from "../../../../../src/validation/clusters/kubernetes/template/job-template.ts";
import { jobRequest } from "./requests.ts";

const digest = `registry.example.com/tessera@sha256:${"ab".repeat(32)}`;

export function settings(more: Partial<KubernetesSettings> = {}): ResolvedKubernetesSettings {
  return resolveKubernetesSettings({ image: digest, ...more }, { namespace: "tessera" });
}

export const compile = (more: Partial<KubernetesSettings> = {}) =>
  compileTemplate(settings(more), { cluster: "prod" });

/** The default template with a change, as a user's own. */
export function edited(from: string, to: string, text = defaultJobTemplate) {
  expect(text, "the text that is changed is there").toContain(from);
  return { template: { file: "mine.yaml", text: text.replace(from, to) } };
}

export const request = jobRequest({ node: "gpu-7", gpus: 8, id: "0f".repeat(10) });

/** A pod as templates make it, as far as tests look into it. */
type MadePod = KubeObject & {
  readonly spec: PodSpec &
    Readonly<Record<string, unknown>> & {
      readonly volumes: readonly { readonly name: string }[];
      readonly tolerations: readonly { readonly key: string }[];
      readonly containers: readonly [MadeContainer];
      readonly affinity: { readonly nodeAffinity: unknown };
    };
};

interface MadeContainer {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly resources: { readonly limits: Readonly<Record<string, unknown>> };
  readonly securityContext: unknown;
  readonly volumeMounts: readonly unknown[];
}

export interface MadeJob extends KubeObject {
  readonly spec: {
    readonly template: MadePod;
    /** Volcano's. */
    readonly tasks: readonly [{ readonly template: MadePod }];
  };
}

export const jobOf = (more: Partial<KubernetesSettings> = {}, cordoned = false) =>
  compile(more).job({ request, cordoned }) as MadeJob;

/** The error that a template of the user's own is refused with. */
export function failureOf(more: Partial<KubernetesSettings>): Error {
  try {
    compile(more);
  } catch (error) {
    return error as Error;
  }
  throw new Error("the template was accepted");
}
