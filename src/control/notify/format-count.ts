import type { NotificationEvent } from "../api/notifications.ts";

const words: Readonly<Record<NotificationEvent, readonly [one: string, many: string]>> = {
  "node.failed": ["node failed", "nodes failed"],
  "node.recovered": ["node recovered", "nodes recovered"],
  "node.closed": ["node was closed", "nodes were closed"],
  "breaker.open": ["cluster keeps failed nodes open", "clusters keep failed nodes open"],
  "experiment.failed": ["experiment failed", "experiments failed"],
  "fault.left": ["fault could not be undone", "faults could not be undone"],
};

/** `12 nodes failed`. */
export function formatCount(event: NotificationEvent, count: number): string {
  const [one, many] = words[event];
  return `${count} ${count === 1 ? one : many}`;
}
