import type { GpuChoice } from "../../objects/index.ts";
import { type GuardRule, judging, ok, refuse, warn } from "../guard-rule.ts";

const dayMs = 86_400_000;
const warnAt = 3;
/** health-events-analyzer: so many of the same XID on one GPU in a day. */
const repeatsAt = 5;

/** The same XID on the same GPU again and again makes health-events-analyzer write the GPU off; its condition has to be removed by hand. */
export const notTooOften: GuardRule = ({ action, facts }) => {
  if (action.kind !== "xid") return undefined;
  return judging("earlier faults", facts.faults, (faults) => {
    const earlier = faults.flatMap(({ spec, metadata }) => {
      const { action: before } = spec;
      if (before.kind !== "xid" || before.node !== action.node) return [];
      if (gpuName(before.gpu) !== gpuName(action.gpu)) return [];
      const madeAtMs = Date.parse(metadata.creationTimestamp ?? "");
      return madeAtMs < facts.nowMs - dayMs ? [] : before.lines.map(({ xid }) => xid);
    });
    const all = [...earlier, ...action.lines.map(({ xid }) => xid)];
    const most = Math.max(
      ...action.lines.map(({ xid }) => all.filter((each) => each === xid).length),
    );
    const text = `the same XID on this GPU ${most} times in a day`;
    if (most < warnAt) return ok(text);
    if (most < repeatsAt) return warn(`${text}; at ${repeatsAt} health-events-analyzer reacts`);
    return judging("what of NVSentinel is installed", facts.nvsentinel, ({ parts }) =>
      parts.includes("health-events-analyzer")
        ? refuse(`${text}: health-events-analyzer would write the GPU off`)
        : warn(`${text}; health-events-analyzer is not installed`),
    );
  });
};

function gpuName(gpu: GpuChoice): string {
  return "pci" in gpu ? gpu.pci.toLowerCase() : String(gpu.index);
}
