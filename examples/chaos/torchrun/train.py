"""Data-parallel training with PyTorch DDP (gloo, CPU), as it is written everywhere.

The five lines that tell Tessera how far it is are marked with `# +`.
"""

import hashlib
import json  # +
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

SAVED = os.path.join(os.environ.get("TESSERA_CHAOS_FOLDER", "."), "checkpoint.pt")
EPOCHS, BATCH, SAVE_EVERY = 3, 8, 4


def tell(**progress):  # +
    if dist.get_rank() == 0:  # +
        print(json.dumps({"tessera": progress}), flush=True)  # +


def digest_of(model):
    text = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        text.update(name.encode() + bytes(value.view(torch.uint8).flatten().tolist()))
    return text.hexdigest()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    dist.init_process_group("gloo")
    inputs = torch.randn(192, 16)
    data = TensorDataset(inputs, inputs.sum(dim=1, keepdim=True).sin())
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    step = 0
    if os.path.exists(SAVED):
        saved = torch.load(SAVED)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        step = saved["step"]
    tell(restore={"tag": f"step-{step}" if step else None, "step": step})
    parallel = DistributedDataParallel(model)
    sampler = DistributedSampler(data, seed=0)
    batches = len(sampler) // BATCH
    for epoch in range(step // batches, EPOCHS):
        sampler.set_epoch(epoch)
        for place, (x, y) in enumerate(DataLoader(data, batch_size=BATCH, sampler=sampler)):
            if epoch * batches + place < step:
                continue  # Done before the restart.
            loss = torch.nn.functional.mse_loss(parallel(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            tell(step=step, units=BATCH * dist.get_world_size(), digest=digest_of(model))  # +
            if step % SAVE_EVERY == 0 and dist.get_rank() == 0:
                state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
                torch.save({**state, "step": step}, SAVED + ".new")
                os.replace(SAVED + ".new", SAVED)
                tell(checkpoint={"tag": f"step-{step}", "step": step})
    dist.barrier()
    dist.destroy_process_group()


main()
