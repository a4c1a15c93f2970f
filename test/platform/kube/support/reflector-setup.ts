import { onTestFinished } from "vitest";
import {
  createReflector,
  type KubeObject,
  type Reflector,
  type ReflectorEvent,
  type ReflectorOptions,
  resourceTypes,
} from "../../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import type { FakeApi } from "./fake-api.ts";
import { fakeCluster, random } from "./fake-cluster.ts";

export const nodes = "/api/v1/nodes";

export interface Seen {
  readonly label: string | undefined;
}

export interface ReflectorSetup {
  readonly api: FakeApi;
  readonly reflector: Reflector<Seen>;
  readonly clock: VirtualClock;
  readonly events: ReflectorEvent<Seen>[];
  readonly failures: Error[];
}

export function node(name: string, label = "x") {
  return { metadata: { name, labels: { label } }, spec: { big: "y".repeat(100) } };
}

/** A reflector on a fake server, with its waits on a clock that only tests move. */
export async function setUp(
  options: Partial<ReflectorOptions<KubeObject, Seen>> = {},
  prepare: (api: FakeApi) => void = () => {},
): Promise<ReflectorSetup> {
  const clock = new VirtualClock({ epochMs: 1_000_000 });
  const { api, client } = await fakeCluster({ clock });
  prepare(api);
  const failures: Error[] = [];
  const reflector = createReflector<Seen>({
    client,
    type: resourceTypes.nodes,
    project: ({ metadata }) => ({ label: metadata.labels?.["label"] }),
    clock,
    random,
    pageSize: 3,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  const events: ReflectorEvent<Seen>[] = [];
  reflector.subscribe((event) => events.push(event));
  reflector.start();
  onTestFinished(() => reflector.stop());
  return { api, reflector, clock, events, failures };
}

/** Moves time on until something holds, a little at a time, so that what happens on the way happens. */
export async function advanceUntil(
  clock: VirtualClock,
  what: string,
  holds: () => boolean,
): Promise<void> {
  await waitUntil(what, async () => {
    if (holds()) return true;
    await clock.advance(500);
    return holds();
  });
}

export function names(reflector: Reflector<Seen>): string[] {
  return [...reflector.objects.keys()].toSorted();
}
