import { useEffect, useRef, useState } from "preact/hooks";
import type { ExperimentEventsView } from "../../../../src/control/api/experiments.ts";
import { type ApiProblem, apiGet } from "../../api/client.ts";
import { connection, onLive } from "../../api/live.ts";
import { toProblem } from "../../api/problem.ts";
import { type EventTail, emptyTail, eventsShownMax, withMore } from "./model/event-tail.ts";

const pageSize = 2000;
/** So many events are read for the curves of a run that goes on; its log shows fewer. */
const readMax = 40_000;
/** As many pages as what is read has. */
const pagesMax = 24;

/** The log of an experiment, followed while it grows. */
export function useEvents(
  id: string,
  { total, isLive }: { readonly total: number; readonly isLive: boolean },
): { readonly tail: EventTail; readonly problem: ApiProblem | undefined } {
  const [tail, setTail] = useState<EventTail>(emptyTail);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const pull = useRef(() => {});
  useEffect(() => {
    const skipped = Math.max(0, total - (isLive ? readMax : eventsShownMax));
    setTail({ ...emptyTail, dropped: skipped });
    const follower = createFollower(id, skipped - 1, {
      onEvents: (events) => setTail((old) => withMore(old, events)),
      onProblem: setProblem,
    });
    pull.current = follower.pull;
    follower.pull();
    const stops = [
      follower.stop,
      onLive(["experiment.event", "experiment.changed"], (type, data) => {
        if (type === "resync" || isAbout(data, id)) follower.pull();
      }),
      connection.subscribe(({ state }) => {
        if (state === "live") follower.pull();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
    // How many there are when the page opens decides where to begin; later ones come by themselves.
  }, [id]);
  // The replica that this page listens to need not be the one that runs it and tells of each event.
  useEffect(() => pull.current(), [total, isLive]);
  return { tail, problem };
}

function isAbout(data: unknown, id: string): boolean {
  return typeof data === "object" && data !== null && "id" in data && data.id === id;
}

/** Asks for what comes next, one question at a time; one that comes meanwhile is asked afterwards. */
function createFollower(
  id: string,
  after: number,
  told: {
    onEvents(events: ExperimentEventsView["events"]): void;
    onProblem(problem: ApiProblem | undefined): void;
  },
): { pull(): void; stop(): void } {
  const controller = new AbortController();
  let last = after;
  let isBusy = false;
  let isWanted = false;
  const readOn = async (): Promise<void> => {
    for (let page = 0; page < pagesMax; page += 1) {
      const path = `experiments/${encodeURIComponent(id)}/events`;
      const query = { after: last, limit: pageSize };
      const given = await apiGet<ExperimentEventsView>(path, query, {
        signal: controller.signal,
        isKept: false,
      });
      told.onEvents(given.events);
      last = Math.max(last, given.last);
      if (given.events.length < pageSize) return;
    }
  };
  const pull = (): void => {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    readOn()
      .then(() => told.onProblem(undefined))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) told.onProblem(toProblem(error));
      })
      .finally(() => {
        isBusy = false;
        const again = isWanted && !controller.signal.aborted;
        isWanted = false;
        if (again) pull();
      });
  };
  return { pull, stop: () => controller.abort() };
}
