import { createExperimentsService } from "./experiments/experiments-service.ts";
import { createFaultsService } from "./faults/faults-service.ts";
import { createFleetService } from "./fleet/fleet-service.ts";
import { createNotificationsService } from "./notify/notifications-service.ts";
import type { Service, ServiceContext } from "./service.ts";
import { createStudiesService } from "./studies/studies-service.ts";

/** Every service of the control plane, in the order in which they are started. */
export function createServices(context: ServiceContext): readonly Service[] {
  const experiments = createExperimentsService(context);
  const faults = createFaultsService(context);
  return [
    createFleetService(context, { experiments: experiments.summary, faults: faults.summary }),
    createNotificationsService(context, {
      faultsLeft: async () => {
        const { left } = await faults.summary();
        return left.map(({ id, title, reason }) => ({ id, what: title, reason }));
      },
    }),
    experiments,
    faults,
    createStudiesService(),
  ];
}
