import { faultEntry } from "../../fault/catalogue/index.ts";
import {
  type ChaosPlan,
  type PlannedFault,
  type Probe,
  recoveryPhases,
  type Target,
  type Trigger,
} from "../../plan/index.ts";
import { comparisonText, durationText, type ExperimentFile, gateText } from "../schema/index.ts";
import { workloadFile } from "./workload-file.ts";

type FaultFile = NonNullable<ExperimentFile["faults"]>[number];
type TargetFile = Exclude<FaultFile["target"], readonly unknown[]>;
type ProbeFile = NonNullable<ExperimentFile["steadyState"]>[number];
type OutsideProbeFile = NonNullable<NonNullable<ExperimentFile["limits"]>["abortWhen"]>[number];

/** The experiment that resolves to this plan, whatever the seed: nothing in it is left to chance. */
export function planToExperiment(plan: ChaosPlan): ExperimentFile {
  const { timeouts, expect, limits } = plan;
  const within = recoveryPhases.flatMap((phase) => {
    const us = expect.within[phase];
    return us === null ? [] : [[phase, durationText(us)] as const];
  });
  return {
    title: plan.title,
    seed: plan.seed,
    workload: workloadFile(plan.workload),
    fleet: { ...plan.fleet },
    timeouts: {
      heartbeatEvery: durationText(timeouts.heartbeatEveryUs),
      heartbeat: durationText(timeouts.heartbeatUs),
      collective: durationText(timeouts.collectiveUs),
      rendezvous: durationText(timeouts.rendezvousUs),
      save: durationText(timeouts.saveUs),
      load: durationText(timeouts.loadUs),
      drain: durationText(timeouts.drainUs),
    },
    faults: plan.faults.map(faultFile),
    ...(plan.steadyState.length === 0 ? {} : { steadyState: plan.steadyState.map(probeFile) }),
    expect: {
      claim: expect.claim,
      ...(expect.recovery === null ? {} : { recovery: expect.recovery }),
      ...(within.length === 0 ? {} : { within: Object.fromEntries(within) }),
      integrity: expect.integrity,
      ...(expect.gates.length === 0 ? {} : { gates: expect.gates.map(gateText) }),
    },
    limits: {
      duration: durationText(limits.durationUs),
      targets: limits.targetsMax,
      ...(limits.targetsPercent === undefined ? {} : { targetsPercent: limits.targetsPercent }),
      ...(limits.abortWhen.length === 0
        ? {}
        : { abortWhen: limits.abortWhen.map((probe) => probeFile(probe) as OutsideProbeFile) }),
    },
    ...(plan.defects.length === 0 ? {} : { defects: [...plan.defects] }),
  };
}

function faultFile({ id, fault, params, targets, trigger, durationUs }: PlannedFault): FaultFile {
  const [first, ...others] = targets.map(targetFile);
  const isOver = faultEntry(fault).ending === "instant";
  return {
    id,
    fault,
    target: first !== undefined && others.length === 0 ? first : targets.map(targetFile),
    at: triggerFile(trigger),
    ...(durationUs === null || isOver ? {} : { for: durationText(durationUs) }),
    ...(Object.keys(params).length === 0 ? {} : { params: { ...params } }),
  };
}

function targetFile(target: Target): TargetFile {
  switch (target.kind) {
    case "rank":
      return { rank: target.rank };
    case "node":
      return { node: target.node };
    case "cut":
      return {
        sides: target.sides.map((side) => [...side]),
        ...(target.asymmetric ? { asymmetric: true } : {}),
      };
    case "link":
      return { link: { from: target.from, to: target.to } };
    case "group":
      return { group: { axis: target.axis, ranks: [...target.ranks] } };
    case "storage":
      return { storage: true };
    case "pod":
      return { pod: { namespace: target.namespace, name: target.name } };
    case "kubernetes-node":
      return { kubernetesNode: target.name };
    case "slurm-job":
      return { slurmJob: true };
    case "slurm-node":
      return { slurmNode: target.name };
  }
}

function triggerFile(trigger: Trigger): FaultFile["at"] {
  switch (trigger.kind) {
    case "step":
      return { step: trigger.step };
    case "time":
      return { time: durationText(trigger.atUs) };
    case "collective":
      return { collective: { axis: trigger.axis, nth: trigger.nth } };
    case "checkpoint":
      return { checkpoint: { nth: trigger.nth, phase: trigger.phase } };
    case "restore":
      return { restore: trigger.nth };
  }
}

function probeFile(probe: Probe): ProbeFile {
  switch (probe.kind) {
    case "throughput":
      return {
        throughput: { atLeast: probe.atLeastShare, window: durationText(probe.windowUs) },
      };
    case "progress":
      return { progress: { within: durationText(probe.withinUs) } };
    case "http": {
      const { url, status, timeoutUs } = probe;
      return { http: { url, status, timeout: durationText(timeoutUs) } };
    }
    case "command": {
      const { command, exitCode, timeoutUs } = probe;
      return { command: { run: [...command], exitCode, timeout: durationText(timeoutUs) } };
    }
    case "kubernetes": {
      const { resource, namespace, name, field } = probe;
      const where = namespace === null ? {} : { namespace };
      return { kubernetes: { resource, ...where, name, field, is: comparisonText(probe.is) } };
    }
    case "promql":
      return { promql: { url: probe.url, query: probe.query, is: comparisonText(probe.is) } };
  }
}
