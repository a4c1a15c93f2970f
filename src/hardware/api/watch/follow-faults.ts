import type { HardwareFault } from "../../objects/index.ts";
import type { FaultApiPorts } from "../ports.ts";
import { type Injector, isOurs, mayHaveComeLate } from "../service/index.ts";
import { createNodeWatch } from "./watch-nodes.ts";

/** What goes on behind the API as long as it runs. */
export interface Following {
  /** What keeps it from knowing the faults, in words; undefined when nothing does. */
  problem(): string | undefined;
  /** Settles once everything has stopped, after the signal. */
  readonly stopped: Promise<void>;
}

/**
 * Follows the faults in the cluster: goes on with what was armed before this process started, looks
 * again at what ended before it was carried out, and writes down what nodes show of those in force.
 */
export function followFaults(
  ports: FaultApiPorts,
  injector: Pick<Injector, "resume" | "lookAgain">,
  signal: AbortSignal,
): Following {
  const { book, log } = ports;
  const nodes = createNodeWatch(ports);
  const onChange = (fault: HardwareFault, change: string) => {
    nodes.follow(watched.faults());
    const { name = "" } = fault.metadata;
    if (change === "deleted" || !isOurs(fault)) return;
    if (mayHaveComeLate(fault)) {
      injector.lookAgain(fault).catch((err: unknown) => {
        log.error({ err, fault: name }, "what came after the end of a fault may still be there");
      });
    }
    if (fault.status?.state !== "armed") return;
    injector.resume(name).catch((err: unknown) => {
      log.error({ err, fault: name }, "an armed fault could not be carried out");
    });
  };
  const watched = book.watch(onChange, signal, {
    onFailure: (err) => log.warn({ err }, "the faults cannot be watched; trying again"),
  });
  return {
    problem: () => {
      const { state, lastError } = watched.freshness();
      if (state === "live") return undefined;
      const why = lastError === undefined ? "" : `: ${lastError.message}`;
      return `the API server's faults are not known (${state})${why}`;
    },
    stopped: watched.stopped.then(() => nodes.stop()),
  };
}
