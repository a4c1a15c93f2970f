import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import type { Cluster } from "../fixture.ts";
import { waitFor } from "../machine/wait.ts";
import type { ComponentStatus } from "../supervisor/protocol.ts";

const clock = createRealClock();

/**
 * Every component of a cluster, once all are healthy. One look does not tell: a component that a busy
 * machine keeps from answering in time is called unhealthy for that moment.
 */
export function untilHealthy(cluster: Cluster): Promise<readonly ComponentStatus[]> {
  const what = `every component of ${cluster.name} to be healthy`;
  return waitFor({ clock, what, timeoutMs: 60_000 }, async () => {
    const status = await cluster.status();
    const unhealthy = status.filter(({ healthy }) => !healthy).map(({ name }) => name);
    if (unhealthy.length > 0) throw new Error(`${unhealthy.join(", ")} not`);
    return status;
  });
}
