/** As the cause of E_JOB_REFUSED: it is about one node, and the cluster takes the jobs of others. */
export class NodeRefusal extends Error {}

export function isNodeRefusal(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof NodeRefusal;
}
