import type { Clock } from "../../../src/platform/time/clock.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import { waitFor } from "../machine/wait.ts";
import type { Fleet } from "../supervisor/fleet.ts";
import { createKwokNodes, kwokComponent, kwokNodesReady } from "./kwok.ts";
import {
  createDefaultQueue,
  createVolcanoCrds,
  defaultQueueOpen,
  volcanoControllersComponent,
  volcanoSchedulerComponent,
  volcanoServed,
} from "./volcano.ts";
import { registerVolcanoWebhooks, volcanoWebhooksComponent } from "./volcano-webhooks.ts";

/** Starts KWOK and registers its nodes; resolves when they are Ready. */
export async function startKwok(
  context: ClusterContext,
  fleet: Fleet,
  clock: Clock,
): Promise<void> {
  const count = context.config.shape.kwok;
  await Promise.all([fleet.start(await kwokComponent(context)), createKwokNodes(context)]);
  await waitFor(
    {
      clock,
      what: `${count} KWOK nodes to be Ready`,
      timeoutMs: 120_000 + count * 100,
      intervalMs: 300,
    },
    () => kwokNodesReady(context),
  );
}

/** Installs and starts Volcano; resolves when its default queue takes jobs. */
export async function startVolcano(
  context: ClusterContext,
  fleet: Fleet,
  clock: Clock,
): Promise<void> {
  await createVolcanoCrds(context);
  await waitFor({ clock, what: "Volcano's definitions", timeoutMs: 120_000 }, () =>
    volcanoServed(context),
  );
  await createDefaultQueue(context);
  await registerVolcanoWebhooks(context);
  const specs = await Promise.all([
    volcanoWebhooksComponent(context),
    volcanoSchedulerComponent(context),
    volcanoControllersComponent(context),
  ]);
  await Promise.all(specs.map((spec) => fleet.start(spec)));
  await waitFor({ clock, what: "Volcano's default queue", timeoutMs: 120_000 }, () =>
    defaultQueueOpen(context),
  );
}
