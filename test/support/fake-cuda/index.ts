/**
 * A GPU machine without a GPU: libcuda, NVRTC, cuBLAS, cuBLASLt, NVML and NCCL as small C++
 * libraries that do on the CPU what ours asks of the real ones.
 *
 * In a test:
 *
 *     const fake = await buildFakeCuda();
 *     describe.skipIf("reason" in fake)(`on a fake GPU${reasonOf(fake)}`, () => { … });
 *
 * `fake.folder` goes to whatever takes folders (`loadCuda({ folders: [folder] })`), `fake.env` to a
 * child process. In this process the libraries read the real environment, so a test that wants two
 * GPUs sets `process.env.FAKE_CUDA_DEVICES` (`withFakeEnv` puts it back). From a shell:
 *
 *     export $(node scripts/ts.mjs test/support/fake-cuda/main.ts)
 *     node scripts/ts.mjs src/cli/main.ts doctor
 *
 * Variables, all optional; lists are separated by commas:
 *
 * - `FAKE_CUDA_DEVICES=2`: GPUs of the machine (1). `CUDA_VISIBLE_DEVICES` is obeyed.
 * - `FAKE_CUDA_MEMORY_BYTES`, `FAKE_CUDA_MODEL`, `FAKE_CUDA_CAPABILITY=80`, `FAKE_CUDA_SMS`,
 *   `FAKE_CUDA_DRIVER_VERSION=12080`: what they are (1 GiB, "Fake H200", 90, 132, 13000).
 * - `FAKE_CUDA_FAIL=cuMemAlloc_v2:2:1`: the 2nd call of a function, of any of the libraries, answers
 *   this code and does nothing. `2+` is the 2nd and all later ones, `*` every one. Changing the
 *   variable starts the count anew.
 * - `FAKE_CUDA_FLIP=0:gemm:3:17`: after the 3rd product (`gemm`) or launch of a kernel (its name; `*`
 *   for any) on physical GPU 0, bit 17 of the output is flipped. A kernel's output is its first
 *   pointer parameter that is not const. `3+` and `*` as above.
 * - `FAKE_CUDA_HANG=0:name:1`: that launch does not end while the variable is set: queries answer
 *   "not ready", and waits wait, freeing memory included.
 * - `FAKE_CUDA_SLOW=1:2.5`: times between events of GPU 1 are 2.5 times as long.
 * - `FAKE_NVML_*` and `FAKE_NCCL_*`: see native/nvml.cc and native/nccl.cc.
 *
 * Work on a stream is carried out when somebody waits for it or asks about it, never before, so a
 * forgotten wait gives a wrong answer. New memory is filled with 0xCB. Writing past an allocation
 * shows when it is freed, and a wild address in a kernel breaks the context, both as
 * CUDA_ERROR_ILLEGAL_ADDRESS. `int fakeCudaOpenHandles()` of libcuda counts what is not closed.
 */
export { buildFakeCuda } from "./build.ts";
export { reasonOf, withFakeEnv } from "./use.ts";
