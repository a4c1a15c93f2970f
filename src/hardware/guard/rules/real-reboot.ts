import { remediationKind } from "../../detectors/index.ts";
import { type GuardRule, judging, ok, refuse, warn } from "../guard-rule.ts";
import { nvSentinelActions } from "../xid-outcome.ts";

/**
 * No machine is really reset, restarted or replaced because of a line that is not true, unless the
 * caller says so and the API was started for that.
 */
export const noRealReboot: GuardRule = ({ request, action, facts, limits }) => {
  if (action.kind !== "xid") return undefined;
  const does = nvSentinelActions(action).flatMap((each) => remediationKind(each) ?? []);
  if (does.length === 0) return ok("no detector would restart anything because of it");
  return judging("what of NVSentinel is installed", facts.nvsentinel, ({ parts }) => {
    const who = parts.filter((part) => part === "fault-remediation" || part === "janitor");
    if (who.length === 0) return ok("NVSentinel's remediation is not installed");
    const text = `${who.join(" and ")} would really do a ${[...new Set(does)].join(", ")} to ${action.node}`;
    if (request.allowRealReboot !== true)
      return refuse(`${text}; say allowRealReboot if that is meant`);
    return limits.allowRealReboots
      ? warn(`${text}; the caller allows it`)
      : refuse(`${text}; the fault API was not started with --allow-real-reboots`);
  });
};
