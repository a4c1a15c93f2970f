import type { CommandTable } from "../program.ts";
import { agentCampaignWorkerCommand } from "./agent-campaign-worker.ts";
import { agentChaosPartCommand } from "./agent-chaos-part.ts";
import { agentChaosWatchdogCommand } from "./agent-chaos-watchdog.ts";
import { agentChaosWorkerCommand } from "./agent-chaos-worker.ts";
import { agentExperimentCommand } from "./agent-experiment.ts";
import { agentKmsgDeviceCommand } from "./agent-kmsg-device.ts";
import { agentLookCommand } from "./agent-look.ts";
import { agentNodeCommand } from "./agent-node.ts";
import { agentRankCommand } from "./agent-rank.ts";
import { agentRunCheckCommand } from "./agent-run-check.ts";
import { agentWorkerCommand } from "./agent-worker.ts";
import { baselineActivateCommand } from "./baseline-activate.ts";
import { baselineListCommand } from "./baseline-list.ts";
import { baselineProposeCommand } from "./baseline-propose.ts";
import { baselineRejectCommand } from "./baseline-reject.ts";
import { baselineShowCommand } from "./baseline-show.ts";
import { chaosCampaignCommand } from "./chaos-campaign.ts";
import { chaosFaultsCommand } from "./chaos-faults.ts";
import { chaosFleetCommand } from "./chaos-fleet.ts";
import { chaosLintTimeoutsCommand } from "./chaos-lint-timeouts.ts";
import { chaosMinimizeCommand } from "./chaos-minimize.ts";
import { chaosReplayCommand } from "./chaos-replay.ts";
import { chaosRunCommand } from "./chaos-run.ts";
import { chaosSchemaCommand } from "./chaos-schema.ts";
import { checkListCommand } from "./check-list.ts";
import { checkRunCommand } from "./check-run.ts";
import { checkpointDiffCommand } from "./checkpoint-diff.ts";
import { checkpointInspectCommand } from "./checkpoint-inspect.ts";
import { checkpointReshardCommand } from "./checkpoint-reshard.ts";
import { checkpointVerifyCommand } from "./checkpoint-verify.ts";
import { classifyCommand } from "./classify.ts";
import { collectiveCommand } from "./collective.ts";
import { collectiveCalibrateCommand } from "./collective-calibrate.ts";
import { completionCommand } from "./completion.ts";
import { configPrintCommand } from "./config-print.ts";
import { configSchemaCommand } from "./config-schema.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { faultApiCommand } from "./fault-api.ts";
import { helpCommand } from "./help.ts";
import { hwInjectCommand } from "./hw-inject.ts";
import { hwListCommand } from "./hw-list.ts";
import { hwPlanCommand } from "./hw-plan.ts";
import { hwRevertCommand } from "./hw-revert.ts";
import { hwShimArmCommand } from "./hw-shim-arm.ts";
import { hwShimDisarmCommand } from "./hw-shim-disarm.ts";
import { hwShimRenewCommand } from "./hw-shim-renew.ts";
import { hwShimStatusCommand } from "./hw-shim-status.ts";
import { hwTestCommand } from "./hw-test.ts";
import { ncclImportCommand } from "./nccl-import.ts";
import { nodeClearCommand } from "./node-clear.ts";
import { nodeHoldCommand } from "./node-hold.ts";
import { nodeReleaseCommand } from "./node-release.ts";
import { nodeShowCommand } from "./node-show.ts";
import { nodeTestCommand } from "./node-test.ts";
import { nodesCommand } from "./nodes.ts";
import { planCommand } from "./plan.ts";
import { planCheckpointCommand } from "./plan-checkpoint.ts";
import { policyReplayCommand } from "./policy-replay.ts";
import { qaClusterCommand } from "./qa-cluster.ts";
import { qaRackCommand } from "./qa-rack.ts";
import { reportCommand } from "./report.ts";
import { scaleCommand } from "./scale.ts";
import { sdcBenchCommand } from "./sdc-bench.ts";
import { simulateFleetCommand } from "./simulate-fleet.ts";
import { storeBackupCommand } from "./store-backup.ts";
import { stressCommand } from "./stress.ts";
import { tokenCreateCommand } from "./token-create.ts";
import { tokenListCommand } from "./token-list.ts";
import { tokenRevokeCommand } from "./token-revoke.ts";
import { upCommand } from "./up.ts";
import { validateCommand } from "./validate.ts";
import { xidExplainCommand } from "./xid-explain.ts";
import { xidParseCommand } from "./xid-parse.ts";

/** Every command there is, in the order help lists them. */
export const commandTable: CommandTable = {
  specs: [
    upCommand,
    validateCommand,
    doctorCommand,
    nodesCommand,
    nodeShowCommand,
    nodeHoldCommand,
    nodeReleaseCommand,
    nodeTestCommand,
    nodeClearCommand,
    baselineListCommand,
    baselineShowCommand,
    baselineProposeCommand,
    baselineActivateCommand,
    baselineRejectCommand,
    reportCommand,
    checkListCommand,
    checkRunCommand,
    agentNodeCommand,
    agentRunCheckCommand,
    planCommand,
    policyReplayCommand,
    simulateFleetCommand,
    classifyCommand,
    ncclImportCommand,
    hwShimArmCommand,
    hwShimRenewCommand,
    hwShimDisarmCommand,
    hwShimStatusCommand,
    collectiveCommand,
    collectiveCalibrateCommand,
    qaRackCommand,
    qaClusterCommand,
    scaleCommand,
    checkpointVerifyCommand,
    checkpointInspectCommand,
    checkpointDiffCommand,
    checkpointReshardCommand,
    planCheckpointCommand,
    sdcBenchCommand,
    chaosRunCommand,
    chaosCampaignCommand,
    chaosMinimizeCommand,
    chaosReplayCommand,
    chaosFleetCommand,
    chaosLintTimeoutsCommand,
    chaosFaultsCommand,
    chaosSchemaCommand,
    hwTestCommand,
    hwPlanCommand,
    hwInjectCommand,
    hwListCommand,
    hwRevertCommand,
    faultApiCommand,
    xidExplainCommand,
    xidParseCommand,
    agentRankCommand,
    agentKmsgDeviceCommand,
    stressCommand,
    tokenCreateCommand,
    tokenListCommand,
    tokenRevokeCommand,
    storeBackupCommand,
    configPrintCommand,
    configSchemaCommand,
    explainCommand,
    completionCommand(() => commandTable),
    helpCommand(() => commandTable),
  ],
  internal: [
    agentWorkerCommand,
    agentCampaignWorkerCommand,
    agentChaosPartCommand,
    agentChaosWatchdogCommand,
    agentChaosWorkerCommand,
    agentExperimentCommand,
    agentLookCommand,
  ],
  groups: {
    node: "show a node, keep it from users, give it back, take our marks off",
    baseline: "what is usual for a fleet: learn, look, bring into force",
    check: "run checks on this machine",
    checkpoint: "judge, compare, show checkpoints, and lay them out for another mesh",
    sdc: "silent data corruption: what each detector finds and misses",
    chaos:
      "break a job on purpose, simulated, on this machine or on a cluster, and prove that it recovers",
    hw: "break the hardware under a live workload on purpose, and prove that it recovers",
    nccl: "judge runs of nccl-tests",
    "hw shim": "CUDA errors on purpose for processes of this machine, without a cluster",
    xid: "errors of NVIDIA GPUs: what they mean, and what detectors do with kernel lines",
    policy: "compare policies on the log of a fleet",
    simulate: "write logs of simulated fleets",
    token: "tokens of the HTTP API, made and revoked beside it",
    store: "look after the store of the control plane",
    config: "show the configuration and its schema",
    qa: "validate a rack or a cluster on simulated devices",
  },
};
