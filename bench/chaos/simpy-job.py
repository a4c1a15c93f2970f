"""A healthy training job for SimPy: the model of timed-job.ts, event for event.

A process for each rank, one for the heartbeats of each, an event for each exchange, messages as timeouts. Random
numbers come from the file, in the order in which each rank draws them, so both sides have the same times.

    python3 simpy-job.py MODEL DRAWS usual|tuned

`usual` waits in the plain way, with a timeout beside each wait; `tuned` as Tessera does, with one timer for
each rank that looks back when it goes off: then there are as many events of every kind.

prints seconds, processor seconds, the time at which the job ended, and how many events of each kind there were.
"""

import json
import math
import sys
import time
from array import array

import simpy

with open(sys.argv[1]) as file:
    model = json.load(file)
ranks, steps = model["ranks"], model["steps"]
is_tuned = sys.argv[3] == "tuned"
computes, jitters = array("d"), array("I")
with open(sys.argv[2], "rb") as file:
    computes.fromfile(file, ranks * 2 * steps)
    jitters.fromfile(file, (ranks + 1) * model["messagesMax"])

env = simpy.Environment()
counts = {}
trace = 0


def note(kind, a):
    """Something of the model happened."""
    global trace
    counts[kind] = counts.get(kind, 0) + 1
    trace = hash((trace, env.now, kind, a))


class Post:
    """Messages from one sender, which do not overtake each other."""

    def __init__(self, sender):
        self.draws = iter(jitters[sender * model["messagesMax"] : (sender + 1) * model["messagesMax"]])
        self.last = {}

    def send(self, to, kind, deliver):
        us = model["messageUs"] + math.floor(next(self.draws) * 2**-32 * (model["messageJitterUs"] + 1))
        at = max(env.now + us, self.last.get(to, 0))
        self.last[to] = at

        def arrived(_):
            note(kind, to)
            deliver()

        env.timeout(at - env.now).callbacks.append(arrived)


class Exchange:
    """One that everybody takes part in, again and again."""

    def __init__(self, us):
        self.us, self.here, self.all_here = us, 0, env.event()

    def enter(self):
        all_here = self.all_here
        self.here += 1
        if self.here == ranks:
            self.here, self.all_here = 0, env.event()
            all_here.succeed()
        return all_here


class Coordinator:
    def __init__(self):
        self.post = Post(ranks)
        self.heard = [0] * ranks
        self.hellos = self.joined = self.restored = self.finished = 0
        self.reported, self.step, self.ahead, self.progress_at = [0] * ranks, 0, 0, 0
        self.done = env.event()

    def hello(self, _):
        self.hellos += 1
        if self.hellos < ranks:
            return
        self.heard = [env.now] * ranks
        env.process(self.watch_heartbeats())
        self.tell_all(lambda rank: rank.assigned)

    def on_joined(self, rank):
        self.heard[rank] = env.now
        self.joined += 1
        if self.joined == ranks:
            self.tell_all(lambda rank: rank.to_restore)

    def on_restored(self, rank):
        self.heard[rank] = env.now
        self.restored += 1
        if self.restored == ranks:
            self.progress_at = env.now
            env.process(self.watch_progress())

    def on_heartbeat(self, rank):
        self.heard[rank] = env.now

    def on_stepped(self, rank):
        self.heard[rank] = env.now
        self.reported[rank] += 1
        if self.reported[rank] != self.step + 1:
            return
        self.ahead += 1
        if self.ahead == ranks:
            self.step += 1
            self.ahead = sum(1 for step in self.reported if step > self.step)
            self.progress_at = env.now

    def on_finished(self, rank):
        self.heard[rank] = math.inf
        self.finished += 1
        if self.finished == ranks:
            self.done.succeed()

    def tell_all(self, event_of):
        for rank in all_ranks:
            self.post.send(rank.number, "mail.to-worker", event_of(rank).succeed)

    def watch_heartbeats(self):
        while True:
            yield env.timeout(min(self.heard) + model["heartbeatUs"] - env.now)
            note("coordinator.timer", 0)
            if min(self.heard) + model["heartbeatUs"] <= env.now:
                raise SystemExit("everybody is heard of")

    def watch_progress(self):
        while True:
            yield env.timeout(self.progress_at + model["progressUs"] - env.now)
            note("coordinator.timer", 1)
            if self.progress_at + model["progressUs"] <= env.now:
                raise SystemExit("the job gets on")


class Rank:
    def __init__(self, number):
        self.number, self.post = number, Post(number)
        self.assigned, self.to_restore = env.event(), env.event()
        self.is_done = self.has_watch = False
        self.waits_since = None

    def tell(self, deliver):
        self.post.send(ranks, "mail.to-coordinator", lambda: deliver(self.number))

    def run(self):
        number = self.number
        draws = iter(computes[number * 2 * steps : (number + 1) * 2 * steps])
        yield env.timeout(model["startUs"])
        note("process.start", number)
        env.process(self.beat())
        self.tell(coordinator.hello)
        yield self.assigned
        yield meeting.enter()
        yield env.timeout(meeting.us)
        note("exchange.done", number)
        yield env.timeout(model["rendezvousUs"])
        note("step.met", number)
        self.tell(coordinator.on_joined)
        yield self.to_restore
        yield env.timeout(1)
        note("restore.read", number)
        self.tell(coordinator.on_restored)
        for _ in range(steps):
            for share in (1 / 3, 1 - 1 / 3):
                spread = 1 + model["jitter"] * (2 * next(draws) - 1)
                yield env.timeout(max(1, math.floor(model["computeUs"] * share * spread + 0.5)))
                note("step.computed", number)
            for exchange in (gradients, metrics):
                if is_tuned:
                    self.waits()
                    yield exchange.enter()
                else:
                    late = env.timeout(model["collectiveUs"])
                    if late in (yield exchange.enter() | late):
                        raise SystemExit("everybody comes")
                yield env.timeout(exchange.us)
                note("exchange.done", number)
                self.waits_since = None
            self.tell(coordinator.on_stepped)
        self.is_done = True
        self.tell(coordinator.on_finished)

    def beat(self):
        while True:
            yield env.timeout(model["heartbeatEveryUs"])
            note("process.heartbeat", self.number)
            if self.assigned.triggered and not self.is_done:
                self.tell(coordinator.on_heartbeat)

    def waits(self):
        self.waits_since = env.now
        if not self.has_watch:
            self.watch_in(model["collectiveUs"])

    def watch_in(self, us):
        self.has_watch = True
        env.timeout(us).callbacks.append(self.watch)

    def watch(self, _):
        note("exchange.watch", self.number)
        self.has_watch = False
        if self.waits_since is None:
            return
        due = self.waits_since + model["collectiveUs"]
        if due <= env.now:
            raise SystemExit("everybody comes")
        self.watch_in(due - env.now)


coordinator = Coordinator()
meeting, gradients, metrics = (Exchange(model[name]) for name in ("meetUs", "gradientsUs", "metricsUs"))
all_ranks = [Rank(number) for number in range(ranks)]
for rank in all_ranks:
    env.process(rank.run())
wall, cpu = time.perf_counter(), time.process_time()
env.run(until=coordinator.done)
took, took_cpu = time.perf_counter() - wall, time.process_time() - cpu
print(json.dumps({"tookMs": 1000 * took, "cpuMs": 1000 * took_cpu, "endUs": env.now, "counts": counts}))
