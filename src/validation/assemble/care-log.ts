import type { Logger } from "../../platform/log/index.ts";
import type { ActionOutcome, NodeCareOptions } from "../act/index.ts";

/** Tells the log what is done about nodes and baselines, and what would be. */
export function careLog(
  cluster: string,
  log: Pick<Logger, "info" | "warn">,
): Required<Pick<NodeCareOptions, "onOutcome" | "onBaselines">> {
  return {
    onOutcome({ action, result, problem }: ActionOutcome) {
      // A label on every node is no news; that one could not be set is.
      if (action.kind === "label" && result !== "failed") return;
      const facts = { cluster, node: action.node, action: action.kind, result };
      const text = `${action.kind} ${action.node}: ${action.reason}`;
      if (problem === undefined) log.info(facts, text);
      else log.warn({ ...facts, problem }, text);
    },
    onBaselines({ expired, activated, refused }) {
      if (expired.length + activated.length > 0) {
        log.info({ cluster, expired, activated }, "baselines were renewed");
      }
      for (const { id, reason } of refused) {
        log.warn({ cluster, baseline: id }, `a baseline waits for a person: ${reason}`);
      }
    },
  };
}
