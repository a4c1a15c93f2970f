/** News are of runs and of people: evidence that grows old and nodes that users take are seen by asking. */
export const fleetEveryMs = 30_000;
