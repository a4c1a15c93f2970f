import type { NewRow, StoredRow } from "../../platform/store/index.ts";
import type { RunIntent, RunPurpose } from "../run.ts";

export function toIntentRow(intent: RunIntent): NewRow<"run_intents"> {
  return {
    id: intent.id,
    cluster: intent.cluster,
    node: intent.node,
    check_name: intent.check,
    planned_at: intent.plannedAtMs,
    job_name: intent.jobName,
    purpose: intent.purpose,
    reason: intent.reason,
    policy: intent.policy,
    sku: intent.sku,
    rack: intent.rack,
    file_system: intent.fileSystem,
    gpus: intent.gpus,
    gpu_hours: intent.gpuHours,
    provenance: intent.provenance,
  };
}

export function toIntent(row: StoredRow<"run_intents">): RunIntent {
  return {
    id: row.id,
    cluster: row.cluster,
    node: row.node,
    check: row.check_name,
    plannedAtMs: row.planned_at,
    jobName: row.job_name,
    purpose: row.purpose as RunPurpose,
    reason: row.reason,
    policy: row.policy,
    sku: row.sku,
    rack: row.rack,
    fileSystem: row.file_system,
    gpus: row.gpus,
    gpuHours: row.gpu_hours,
    provenance: row.provenance,
  };
}
