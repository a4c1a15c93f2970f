import { describe, expect, it } from "vitest";
import { needsOfTemplate } from "../../../../../src/validation/clusters/kubernetes/discovery/needs-of-template.ts";
import {
  defaultJobTemplate,
  defaultVolcanoTemplate,
} from "../../../../../src/validation/clusters/kubernetes/template/default-job.ts";
import { compileTemplate } from "../../../../../src/validation/clusters/kubernetes/template/job-template.ts";
import { edited, failureOf, type MadeJob, request, settings } from "../support/templates.ts";

describe("a template of the user's own", () => {
  it("may bind by hostname, add variables and ask for other amounts", () => {
    const text = defaultJobTemplate
      .replace(/ {4}nodeAffinity:[\s\S]*?values: \["\{\{node\}\}"\]\n/, "")
      .replace(
        "      affinity:\n",
        "      nodeSelector:\n        kubernetes.io/hostname: '{{node}}'\n      affinity:\n",
      )
      .replace(
        "- name: HOME",
        "- { name: NCCL_DEBUG, value: '{{plannedAt}}' }\n            - name: HOME",
      )
      .replaceAll('cpu: "{{cpu}}"', "cpu: 500m");
    const own = settings({ template: { file: "mine.yaml", text } });
    const template = compileTemplate(own, { cluster: "prod" });
    const { needs } = needsOfTemplate(template, own);
    expect(needs.requests(4)).toEqual({ cpu: 500, memory: 64 * 2 ** 30, "nvidia.com/gpu": 4 });
    expect(needs.selectors("gpu-7").nodeSelector).toEqual({ "kubernetes.io/hostname": "gpu-7" });
    const job = template.job({ request, cordoned: false }) as MadeJob;
    expect(job.spec.template.spec.containers[0].env[0]).toEqual({
      name: "NCCL_DEBUG",
      value: "1750000000",
    });
  });

  const lineOf = (text: string, part: string) =>
    text.slice(0, text.indexOf(part)).split("\n").length;

  it.each([
    [
      "an unknown placeholder",
      '"{{image}}"',
      '"{{imgae}}"',
      "{{imgae}} is no placeholder (did you mean `image`?)",
    ],
    [
      "one that is not for texts",
      'command: "{{command}}"',
      'command: "sh {{command}}"',
      "{{command}} must stand alone",
    ],
    [
      "one that may be absent within a text",
      '"{{priorityClass}}"',
      '"p-{{priorityClass}}"',
      "{{priorityClass}} must stand alone",
    ],
    ["a retry", "backoffLimit: 0", "backoffLimit: 2", "must be 0: no retry"],
    ["several pods", "parallelism: 1", "parallelism: 4", "must be 1: one pod on a node"],
    [
      "a selector of pods",
      "completions: 1",
      "completions: 1\n  manualSelector: true",
      "Kubernetes makes the selector",
    ],
    [
      "a node past the scheduler",
      "restartPolicy: Never",
      'restartPolicy: Never\n      nodeName: "{{node}}"',
      "it goes past the scheduler",
    ],
    ["restarts", "restartPolicy: Never", "restartPolicy: OnFailure", "must be Never"],
    ["a fixed name", 'name: "{{jobName}}"', 'name: "x-{{jobName}}"', "must be {{jobName}}"],
    ["another namespace", '"{{namespace}}"', "elsewhere", "must be tessera"],
    ["another kind", "kind: Job", "kind: Pod", 'it makes a "Pod"'],
    ["another version", "batch/v1", "constructor", "not a Job of"],
    [
      "a term that binds to nothing",
      "operator: In",
      "operator: NotIn",
      "the pod must be bound to {{node}}",
    ],
  ])("is refused with %s, and told where", (_, from, to, problem) => {
    const own = edited(from, to);
    const error = failureOf(own);
    expect(error).toMatchObject({ code: "E_TEMPLATE_INVALID" });
    expect(error.message).toContain(problem);
    const line = Number(/line (\d+), column \d+/.exec(error.message)?.[1]);
    const expected = lineOf(own.template.text, to.split("\n").at(-1)?.trim() ?? to);
    if (!problem.includes("bound")) expect(line).toBe(expected);
  });

  it.each([
    ["a retry", "maxRetry: 1", "maxRetry: 0", "Volcano makes 0 a 3"],
    ["several pods", "replicas: 1", "replicas: 2", "must be 1"],
    ["restarts", "action: TerminateJob", "action: RestartJob", "must restart nothing"],
  ])("of Volcano is refused with %s", (_, from, to, problem) => {
    expect(failureOf(edited(from, to, defaultVolcanoTemplate)).message).toContain(problem);
  });

  it.each([
    ["jobName", '"{{jobName}}"', "fixed"],
    ["runId", /"\{\{runId\}\}"/g, "fixed"],
    ["node", '"{{node}}"', "fixed"],
    ["env", '- "{{env}}"', "- { name: A, value: b }"],
  ])("is refused without {{%s}}", (name, from, to) => {
    const text = defaultJobTemplate.replace(from, to);
    const { message } = failureOf({ template: { file: "mine.yaml", text } });
    expect(message).toContain(`it does not use {{${name}}}`);
    expect(message).toContain("mine.yaml");
  });

  it.each([
    ["text that is no YAML", "a: [1", "not valid YAML"],
    ["an empty file", "", "one object"],
    ["a list", "- 1", "one object"],
    ["two documents", `${defaultJobTemplate}\n---\na: 1\n`, "one document"],
    [
      "the same key twice",
      defaultJobTemplate.replace("kind: Job", "kind: Job\nkind: Job"),
      "unique",
    ],
    ["a bomb of aliases", bomb(), "not use {{jobName}}"],
    ["endless text", "x".repeat(300_000), "longer than"],
  ])("is refused when it is %s", (_, text, problem) => {
    expect(failureOf({ template: { file: "mine.yaml", text } }).message).toContain(problem);
  });
});

function bomb(): string {
  const lines = ["a0: &a0 [x, x]"];
  for (let at = 1; at < 30; at++) lines.push(`a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`);
  return lines.join("\n");
}
