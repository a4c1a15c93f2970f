import type { HealthEvent } from "./health-event.ts";

/**
 * The events that keep a node closed, as its annotation has them. Each event is held by one key for
 * every pair of entity and error code; it leaves the list with its last key. The annotation has no
 * keys, so they are all there again at the next reading: an event of two entities that is declared
 * well for one of them stays for good.
 */
export type EventList = readonly HealthEvent[];

/** More events than this are not read: an annotation holds 256 KiB at most. */
const eventsMax = 1_000;

/** Reads the annotation; an empty list for none, and for one that is no list of events. */
export function readEventList(annotation: string | undefined): EventList {
  if (annotation === undefined || annotation === "") return [];
  try {
    const value: unknown = JSON.parse(annotation);
    return (Array.isArray(value) ? value : [value]).filter(isEvent).slice(0, eventsMax);
  } catch {
    return [];
  }
}

export function writeEventList(events: EventList): string {
  return JSON.stringify(events);
}

/** Adds what is new of an event: an entity and code not yet there, or with another action. */
export function addEvent(events: EventList, event: HealthEvent): EventList {
  const held = holders(events);
  for (const key of keysOf(event)) {
    const known = held.get(key.text);
    if (known === undefined || known.event.recommendedAction !== event.recommendedAction)
      held.set(key.text, { key, event });
  }
  return uniqueEvents(held);
}

/** Takes away what a healthy event declares well. */
export function removeEvents(events: EventList, healthy: HealthEvent): EventList {
  const held = holders(events);
  for (const [text, { key, event }] of held)
    if (isSameCheck(event, healthy) && covers(healthy, key)) held.delete(text);
  return uniqueEvents(held);
}

/** True when a healthy event is about something in the list. */
export function concerns(events: EventList, healthy: HealthEvent): boolean {
  return [...holders(events).values()].some(
    ({ key, event }) => isSameCheck(event, healthy) && covers(healthy, key),
  );
}

interface EventKey {
  readonly text: string;
  readonly entity: string;
  readonly code: string;
}

interface Holder {
  readonly key: EventKey;
  readonly event: HealthEvent;
}

function holders(events: EventList): Map<string, Holder> {
  const held = new Map<string, Holder>();
  for (const event of events)
    for (const key of keysOf(event)) if (!held.has(key.text)) held.set(key.text, { key, event });
  return held;
}

function keysOf(event: HealthEvent): readonly EventKey[] {
  const check = [event.agent, event.componentClass, event.checkName, event.nodeName, event.version];
  const entities = entityNames(event);
  const codes = event.errorCode ?? [];
  return (entities.length === 0 ? [""] : entities).flatMap((entity) =>
    (codes.length === 0 ? [""] : codes).map((code) => ({
      text: JSON.stringify([...check, entity, code]),
      entity,
      code,
    })),
  );
}

function covers(healthy: HealthEvent, key: EventKey): boolean {
  const entities = entityNames(healthy);
  const codes = healthy.errorCode ?? [];
  return (
    (entities.length === 0 || entities.includes(key.entity)) &&
    (codes.length === 0 || codes.includes(key.code))
  );
}

function entityNames(event: HealthEvent): readonly string[] {
  return (event.entitiesImpacted ?? []).map((each) => `${each.entityType}:${each.entityValue}`);
}

function isSameCheck(a: HealthEvent, b: HealthEvent): boolean {
  return (
    a.agent === b.agent &&
    a.componentClass === b.componentClass &&
    a.checkName === b.checkName &&
    a.nodeName === b.nodeName &&
    a.version === b.version
  );
}

function uniqueEvents(held: ReadonlyMap<string, Holder>): EventList {
  return [...new Set([...held.values()].map(({ event }) => event))];
}

function isEvent(value: unknown): value is HealthEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "checkName" in value &&
    typeof value.checkName === "string" &&
    "nodeName" in value &&
    typeof value.nodeName === "string"
  );
}
