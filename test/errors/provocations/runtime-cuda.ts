import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Provocation } from "../provocation.ts";

/*
 * A driver without a GPU behind it, for machines without a compiler, gzipped. It was made of
 *
 *   int cuInit(unsigned f) { return 0; }
 *   int cuDriverGetVersion(int *v) { *v = 13000; return 0; }
 *   int cuGetErrorName(int c, const char **t) { *t = "CUDA_ERROR_UNKNOWN"; return 0; }
 *   int cuDeviceGetCount(int *n) { return 999; }
 *
 * by `gcc -shared -fPIC -nostdlib -Os -s` on Linux for x64.
 */
const brokenDriver = [
  "H4sIAAAAAAACA71UwU4bMRCddSAB0kopcGjLoeHUtBVudsUBilS1JIEgqqBGSttbtEmMsofdlbwOghNnDvwLR46Rcmg/",
  "oxfERyCh2jDOelekaaWq77DP8+zxzow9Pq192iGWBRoZeA+xBfAB+VvG1DZgRn4XYP5u7SxMRpkkGQr3pPyy5vxiki8g",
  "ydqP/KXfHPLnK9HLwp+jMK5HnJ8az6TWEcxlEtT/F6XXLS6aR/016suYh45tBfUc6o8hrpfSb6w4ljt0B3uBJyRVuXfE",
  "+C4TXxiPvDCQkjRqnIe84fpMrWBHXpdJsRIOAgH2cPQ998MBNaifzz6Sm9XPstK4vJa7jyqt6sd2rdk8aLZbjf3GwdcG",
  "GPkXMQ5dm6GVzKOO9gLaW8h55Kfwf7Bbqbwrlqqs47lB0XaoQ8tr9vqbHuvYzsB+hRIAjfqR4MLtAO27UR9o7ySITvx7",
  "FhyoYMcCKA97rnCBsn77kKuqqnnX97pAu6HvM1nWf4M81pak6q25ZNw/857r83mCe5DUeWg+Nu60Zfjrc3mGcyR1vpq3",
  "UvGme2DV6HEFfW81v5ji/xI1B+3nJMlLE/w1v8UxmfQOPdCnJjYxdt1n43eGJN+XTMpfvxvb+P9yat+fJM7vd/FbZo8b",
  "yKG4P6V+vwB6oI1E2AUAAA==",
].join("");

export const provocations: readonly Provocation[] = [
  {
    code: "E_CUDA_UNAVAILABLE",
    how: "a tensor on a GPU that this process does not see",
    provoke: ({ library }) =>
      library(`process.env.CUDA_VISIBLE_DEVICES = "-1";
tessera.tensor.zeros([2], { device: "cuda:0" });`),
  },
  {
    code: "E_CUDA",
    how: "a tensor on a GPU whose driver answers with an error",
    provoke: async ({ library, tempDir }) => {
      const driver = gunzipSync(Buffer.from(brokenDriver, "base64"));
      await writeFile(join(tempDir, "libcuda.so.1"), driver);
      return await library(`process.env.TESSERA_CUDA_LIBRARY_PATH = ${JSON.stringify(tempDir)};
tessera.tensor.zeros([2], { device: "cuda:0" });`);
    },
  },
];
