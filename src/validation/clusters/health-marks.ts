/** The label with the verdict, and the annotations with its reason and since when it holds. */
export const healthMarks = {
  label: "tessera.dev/health",
  reason: "tessera.dev/health-reason",
  since: "tessera.dev/health-since",
} as const;
