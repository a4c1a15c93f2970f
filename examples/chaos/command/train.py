"""A small job in plain Python: fits a line, saves every 5 steps, goes on from the newest save."""

import hashlib
import json
import os
import random
import time

FOLDER = os.environ.get("TESSERA_CHAOS_FOLDER", ".")
STEPS, BATCH, SAVE_EVERY = 30, 16, 5
SAVED = os.path.join(FOLDER, "state.json")


def tell(**progress):
    print(json.dumps({"tessera": progress}), flush=True)


def save(state):
    text = json.dumps(state)
    with open(SAVED + ".new", "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(SAVED + ".new", SAVED)
    tell(checkpoint={"tag": f"step-{state['step']}", "step": state["step"]})


def load():
    if not os.path.exists(SAVED):
        tell(restore={"step": 0})
        return {"step": 0, "slope": 0.0, "offset": 0.0}
    with open(SAVED) as file:
        state = json.load(file)
    tell(restore={"tag": f"step-{state['step']}", "step": state["step"]})
    return state


def train(state):
    step = state["step"] + 1
    chance = random.Random(step)  # The data follow from the step, so a step done again is the same.
    slope_sum = offset_sum = 0.0
    for _ in range(BATCH):
        x = chance.uniform(-1, 1)
        error = state["slope"] * x + state["offset"] - (3 * x + 1)
        slope_sum += error * x
        offset_sum += error
    time.sleep(0.02)
    return {
        "step": step,
        "slope": state["slope"] - 0.5 * slope_sum / BATCH,
        "offset": state["offset"] - 0.5 * offset_sum / BATCH,
    }


state = load()
while state["step"] < STEPS:
    state = train(state)
    step = state["step"]
    digest = hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
    tell(step=step, units=BATCH, samples=[(step - 1) * BATCH, step * BATCH], digest=digest)
    if step % SAVE_EVERY == 0:
        save(state)
