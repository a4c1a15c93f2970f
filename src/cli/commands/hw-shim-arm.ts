import type { CommandSpec } from "../command-spec.ts";
import { controlOption, forOption } from "../hw-shim/control-option.ts";

export const hwShimArmCommand: CommandSpec = {
  name: "hw shim arm",
  summary: "make CUDA calls of processes on this machine fail as after an XID",
  description:
    "Arms a control block by hand, without a cluster: processes that run with the shim preloaded and this block answer the CUDA error of the XID from now on, until it is disarmed or its time is over. A process that has met a sticky error keeps it. The block is made if there is none. `--seed` decides which calls a probability hits. The shim is native/<arch>/libtessera-cuda-fault.so of the build.",
  options: [
    controlOption,
    { flags: "--xid <number>", description: "the XID whose CUDA error calls answer" },
    {
      flags: "--gpus <numbers>",
      description: "only these GPUs, as the process counts them: 0,1; all when not given",
    },
    { flags: "--after-calls <count>", description: "so many calls of each process go well first" },
    { flags: "--after <duration>", description: "so long calls go well first" },
    { flags: "--probability <share>", description: "of each call to fail, 0 to 1" },
    { flags: "--latency <duration>", description: "calls take this much longer, and none fails" },
    forOption,
  ],
  examples: [
    {
      command: "tessera hw shim arm --control /tmp/control --xid 79 --for 5m",
      shows: "a GPU fallen off the bus, for the processes that have this block",
    },
    {
      command: "tessera hw shim arm --control /tmp/control --xid 48 --gpus 1 --after-calls 1000",
      shows: "an ECC error of GPU 1 at the thousand and first call",
    },
    {
      command: "tessera hw shim arm --control /tmp/control --xid 79 --latency 50us",
      shows: "a slow GPU instead of a dead one",
    },
  ],
  reports: false,
  load: () => import("../actions/hw-shim-arm.ts"),
};
