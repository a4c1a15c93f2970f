import { describe, expect, it } from "vitest";
import {
  needsRestart,
  passthroughFields,
  releaseEffect,
  withPassthrough,
} from "../../../src/hardware/workload/index.ts";
import {
  custom,
  deployment,
  gpus,
  job,
  leaderWorkerSet,
  statefulSet,
  worker,
} from "./support/objects.ts";

const options = { faultName: "passthrough-1" };
const library = "/run/tessera/cuda-fault/libtessera-cuda-fault.so";

describe("other kinds of workloads", () => {
  it("changes leader and workers of a LeaderWorkerSet that use GPUs", () => {
    const template = (container: object) => ({ spec: { containers: [container] } });
    const leaderWorkerTemplate = {
      leaderTemplate: template(worker()),
      workerTemplate: template(worker()),
    };
    const object = { metadata: { name: "vllm" }, spec: { leaderWorkerTemplate } };
    const pointers = passthroughFields(object, leaderWorkerSet, options).map((one) => one.pointer);
    const base = "/spec/leaderWorkerTemplate";
    expect(pointers).toContain(`${base}/leaderTemplate/spec/containers/0/env`);
    expect(pointers).toContain(`${base}/workerTemplate/spec/containers/0/env`);
    const cpuLeader = {
      metadata: { name: "vllm" },
      spec: {
        leaderWorkerTemplate: { ...leaderWorkerTemplate, leaderTemplate: template({ name: "c" }) },
      },
    };
    const fewer = passthroughFields(cpuLeader, leaderWorkerSet, options);
    expect(fewer.some(({ pointer }) => pointer.includes("leaderTemplate"))).toBe(false);
  });

  it("finds the pod specs of a custom resource at its path, main containers too", () => {
    const services = {
      Frontend: { replicas: 1 },
      decode: { extraPodSpec: { mainContainer: { resources: gpus } } },
      "a/b": { extraPodSpec: { containers: [worker()] } },
    };
    const object = { metadata: { name: "graph" }, spec: { services } };
    const pointers = passthroughFields(object, custom, options).map((one) => one.pointer);
    expect(pointers).toContain("/spec/services/decode/extraPodSpec/mainContainer/env");
    expect(pointers).toContain("/spec/services/a~1b/extraPodSpec/containers/0/env");
    expect(pointers.some((pointer) => pointer.includes("Frontend"))).toBe(false);
    const empty = { metadata: { name: "graph" }, spec: { services: { Frontend: {} } } };
    expect(() => passthroughFields(empty, custom, options)).toThrow(/no pod template/);
  });

  it("starts a Job with the shim from its manifest, which stays as it was", () => {
    const manifest = {
      metadata: { name: "train" },
      spec: { template: { spec: { containers: [worker()], restartPolicy: "Never" } } },
    };
    const text = JSON.stringify(manifest);
    const changed = withPassthrough(manifest, job, options);
    expect(JSON.stringify(manifest)).toBe(text);
    expect(changed).toMatchObject({
      metadata: { annotations: { "tessera.dev/cuda-passthrough": "passthrough-1" } },
      spec: {
        template: {
          spec: {
            restartPolicy: "Never",
            containers: [{ env: [{ name: "LD_PRELOAD", value: library }, {}] }],
          },
        },
      },
    });
    expect(withPassthrough(changed, job, options)).toEqual(changed);
  });

  it("says for each what restarts, and what cleaning up early does", () => {
    for (const ref of [deployment, statefulSet, job, leaderWorkerSet, custom]) {
      expect(needsRestart(ref)).toContain(`${ref.name} in serving`);
      expect(releaseEffect(ref)).toContain(`${ref.name} in serving`);
    }
    expect(releaseEffect(deployment)).toMatch(/^No pod/);
    expect(releaseEffect(leaderWorkerSet)).not.toMatch(/^No pod/);
  });
});
