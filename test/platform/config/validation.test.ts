import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configJsonSchema } from "../../../src/platform/config/json-schema.ts";
import { load, loadYaml, problemsOf } from "./load.ts";

describe("the validation section", () => {
  test("without a word it validates this machine and a simulated fleet of 128 x 8", async () => {
    const { values, cwd } = await load({});
    expect(values.validation).toMatchObject({
      enabled: true,
      policy: "risk",
      staleAfterMs: 7 * 86_400_000,
      pendingTimeoutMs: 300_000,
      runTimeoutMs: 90 * 60_000,
      limits: { inFlight: 5, perFileSystem: 3, cooldownMs: 4 * 3_600_000, quietHours: [] },
      act: { mode: "dry-run" },
      resultsDir: join(cwd, ".local/state/tessera/continuous_validation"),
    });
    expect(values.validation.limits).not.toHaveProperty("gpuHoursPerDay");
    expect(values.validation.clusters).toMatchObject([
      { name: "local", kind: "local" },
      { name: "simulated", kind: "simulated", nodes: 128, gpusPerNode: 8 },
    ]);
  });

  test("the environment sets what is not a list", async () => {
    const { values } = await load({
      env: {
        TESSERA_VALIDATION_ENABLED: "false",
        TESSERA_VALIDATION_LIMITS_IN_FLIGHT: "20",
        TESSERA_VALIDATION_ACT_MODE: "on",
        TESSERA_VALIDATION_STALE_AFTER: "36h",
      },
    });
    expect(values.validation).toMatchObject({
      enabled: false,
      limits: { inFlight: 20 },
      act: { mode: "on" },
      staleAfterMs: 36 * 3_600_000,
    });
  });

  test.each([
    ["22:00-06:00", { fromMinute: 1320, toMinute: 360 }],
    ["00:00-23:59", { fromMinute: 0, toMinute: 1439 }],
  ])("quiet hours %s are minutes of a day", async (text, hours) => {
    const { values } = await loadYaml(`validation: { limits: { quietHours: ["${text}"] } }\n`);
    expect(values.validation.limits.quietHours).toEqual([hours]);
  });

  test("paths of clusters count from the file", async () => {
    const { values, cwd } = await loadYaml(`validation:
  clusters:
    - name: prod
      kind: kubernetes
      image: registry.example/tessera:1
      kubeconfig: kube/prod
      template: job.yaml
      resultsDir: ~/results
    - { name: here, kind: local, resultsDir: logs }
    - { name: iron, kind: slurm, bin: slurm/bin, conf: slurm/slurm.conf }
`);
    expect(values.validation.clusters).toMatchObject([
      {
        kubeconfig: join(cwd, "kube/prod"),
        template: join(cwd, "job.yaml"),
        resultsDir: join(cwd, "results"),
      },
      { resultsDir: join(cwd, "logs") },
      { bin: join(cwd, "slurm/bin"), conf: join(cwd, "slurm/slurm.conf") },
    ]);
  });

  test("nodes are named as Slurm writes them", async () => {
    const excludedNodes = ["g1,g[3-4,7]", "gpu[001-128]-ib[0-1]"];
    const yaml = `validation: { clusters: [{ name: a, kind: slurm, excludedNodes: ${JSON.stringify(excludedNodes)} }] }\n`;
    expect((await loadYaml(yaml)).values.validation.clusters).toMatchObject([{ excludedNodes }]);
  });

  test("no clusters at all are fine", async () => {
    expect((await loadYaml("validation: { clusters: [] }\n")).values.validation.clusters).toEqual(
      [],
    );
  });
});

describe("what is wrong is named with its own line", () => {
  test.each([
    [
      "validation:\n  clusters:\n    - name: a\n      kind: local\n      limits: { inFlight: 0 }\n",
      "tessera.yaml:5: `validation.clusters.0.limits.inFlight` must be at least 1, got the number 0",
    ],
    [
      "validation:\n  clusters:\n    - { name: a, kind: local }\n    - name: b\n      kind: local\n      polcy: stale\n",
      "tessera.yaml:6: `validation.clusters.1` has unknown key `polcy`",
    ],
    [
      "validation:\n  clusters:\n    - { name: a, kind: local }\n    - name: a\n      kind: local\n",
      'tessera.yaml:4: `validation.clusters.1.name` is the name of an earlier entry: a, got the text "a"',
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: nomad\n",
      "must have a `kind`: kubernetes, slurm, local or simulated",
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: slurm\n      program: bin/tessera\n",
      "tessera.yaml:5: `validation.clusters.0.program`",
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: slurm\n      partition: gpu --uid=0\n",
      "tessera.yaml:5: `validation.clusters.0.partition` must be a name of letters, digits, and . _ + -",
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: slurm\n      excludedNodes: ['g1;reboot']\n",
      "`validation.clusters.0.excludedNodes.0` must be names of nodes as Slurm writes them",
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: slurm\n      excludedNodes: [g1, 'gpu[1-']\n",
      'tessera.yaml:5: `validation.clusters.0.excludedNodes.1` must be names of nodes as Slurm writes them, such as gpu[001-128]: the brackets of "gpu[1-" do not match',
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: slurm\n      excludedNodes: ['gpu[9-1]']\n",
      'the range "9-1" runs backwards',
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: slurm\n      excludedNodes: ['gpu[1;']\n",
      "`validation.clusters.0.excludedNodes.0` must be names of nodes as Slurm writes them",
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: kubernetes\n",
      "tessera.yaml:3: `validation.clusters.0.image` must be text, got nothing",
    ],
    [
      "validation:\n  clusters:\n    - name: a\n      kind: kubernetes\n      image: i\n      actAs: { reader: me }\n",
      'tessera.yaml:6: `validation.clusters.0.actAs.reader` must be NAMESPACE/NAME of a service account, got the text "me"',
    ],
    [
      "validation:\n  limits:\n    quietHours:\n      - 22:00-06:00\n      - 6am-7am\n",
      'tessera.yaml:5: `validation.limits.quietHours.1` must be a time of day such as 22:00-06:00, got the text "6am-7am"',
    ],
    ["validation: { limits: { quietHours: ['06:00-06:00'] } }\n", "must not end when it begins"],
    [
      "validation:\n  checks:\n    - name: dl-unit\n      minutes: -1\n",
      "tessera.yaml:4: `validation.checks.0.minutes` must be at least 0.1, got the number -1",
    ],
    [
      "validation: { checks: [{ name: a }, { name: a }] }\n",
      "`validation.checks.1.name` is the name of an earlier entry: a",
    ],
    ["validation: { resultUrl: 'ftp://x' }\n", "must be an http or https URL"],
    ["validation: { act: { cordonedShareMax: 2 } }\n", "must be at most 1"],
    ["validation: { staleAfter: 7 }\n", "must be a duration"],
    ["validation: { polciy: stale }\n", "(did you mean `validation.policy`?)"],
  ])("%j", async (yaml, problem) => {
    const problems = await problemsOf(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});

test("the JSON Schema describes an entry of each kind", () => {
  const text = JSON.stringify(configJsonSchema());
  for (const word of ["gpusPerNode", "imagePullSecrets", "hostPath", "cordonedShareMax"]) {
    expect(text).toContain(word);
  }
});
