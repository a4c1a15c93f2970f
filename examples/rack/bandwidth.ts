// Guide 3.4: how fast is an all-reduce of 64 MiB over a rack?
import { dist, op, profile } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["dp"], devices: 72, topology: "nvl72" });
const X = dist.tensor([4096, 4096], { mesh });

using session = profile.session();
op.allReduce(X, { op: "sum" });
console.log(session.report());

// The guide expects about 1.8 TB/s of bisection bandwidth. That figure is what one GPU's links carry
// in both directions; at 64 MiB a rack of this kind was measured at about 350 microseconds.
const [record] = session.records();
const timeUs = record?.timeUs ?? Number.NaN;
const busbwGBps = record?.busbwGBps ?? Number.NaN;
if (!(timeUs >= 300 && timeUs <= 400)) throw new Error(`${timeUs} us is not what a rack takes.`);
if (!(busbwGBps >= 340 && busbwGBps <= 420)) throw new Error(`${busbwGBps} GB/s is not its rate.`);
