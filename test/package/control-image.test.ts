import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtBundle } from "../cluster/images/archives.ts";
import { writeDockerArchive } from "../cluster/images/docker-archive.ts";
import { tesseraImage } from "../cluster/images/tessera.ts";
import { machineHas } from "../cluster/machine/probes.ts";
import { findProgram } from "../cluster/machine/programs.ts";
import { missing } from "../support/missing.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const dockerfile = read("images/control/Dockerfile");
const valuesOf = (word: string) =>
  dockerfile
    .split("\n")
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1));
/** Each step copies the whole image, on a disk that others use too. */
const buildMsMax = 300_000;
const deployment = read("charts/tessera/templates/deployment.yaml");

describe("the control plane's image", () => {
  it("starts what the chart starts, as the user that the chart's pods run as", () => {
    const entry: unknown = JSON.parse(valuesOf("ENTRYPOINT")[0] ?? "");
    expect(entry).toEqual(["/usr/local/bin/node", "/app/tessera.mjs"]);
    expect(deployment).toContain("command: [/usr/local/bin/node, /app/tessera.mjs]");
    const [user = ""] = (valuesOf("USER")[0] ?? "").split(":");
    expect(Number(user)).toBeGreaterThan(0);
    expect(deployment).toContain(`runAsUser: ${user}`);
    // What a volume is before it is mounted decides whose it is.
    const owned = dockerfile.indexOf(`fs.chownSync('/var/lib/tessera', ${user}, ${user})`);
    expect(owned).toBeGreaterThan(0);
    expect(owned).toBeLessThan(dockerfile.indexOf("VOLUME /var/lib/tessera"));
  });

  it("copies only what is there, and nothing else of a working tree can get in", () => {
    const sources = valuesOf("COPY").map((value) => value.split(" ")[0] ?? "");
    const ignored = read("images/control/Dockerfile.dockerignore").split("\n");
    expect(ignored).toContain("*");
    const allowed = ignored.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    expect(allowed.toSorted()).toEqual(sources.toSorted());
    for (const source of sources.filter((one) => !one.startsWith("dist/"))) {
      expect(existsSync(join(root, source)), source).toBe(true);
    }
  });
});

/** Why the image cannot be built here; empty when it can. */
const noBuild =
  missing("buildah", "ldd") ||
  (machineHas("root") ? "" : " (skipped: only root may build here)") ||
  (machineHas("busybox") ? "" : " (skipped: no static busybox here)");

describe.skipIf(noBuild !== "")(`the control plane's image, built${noBuild}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-image-"));
  const base = "localhost/tessera-test-control-base:1";
  const built = "localhost/tessera-test-control:1";
  let container = "";

  beforeAll(async () => {
    const archive = join(folder, "base.tar");
    const [busybox = "", bundle] = [findProgram("busybox"), builtBundle()];
    const image = await tesseraImage({ root, bundle, busybox, fio: undefined });
    const entries = image.entries.filter(({ path }) => !/^app(\/|$)/.test(path));
    writeDockerArchive(archive, { ...image, tag: base, entries, workingDir: "/" });
    await buildah("pull", `docker-archive:${archive}`);
    const from = ["--build-arg", `BASE=${base}`, "-f", "images/control/Dockerfile"];
    await buildah("bud", ...from, "-t", built, root);
    container = (await buildah("from", built)).trim();
  }, buildMsMax);

  afterAll(async () => {
    await buildah("rm", "--all").catch(() => "");
    rmSync(folder, { recursive: true, force: true });
  });

  it("has the dashboard and the presets where the program looks for them", async () => {
    const listed = await inImage(["ls", "/app/web/index.html", "/app/presets"]);
    expect(listed).toContain("index.html");
    expect(listed).toMatch(/\.yaml/);
  });

  it("opens its store and shows the dashboard to a browser on its machine", async () => {
    // Its own network is this machine's, where any port may be somebody's.
    const up = "/usr/local/bin/node /app/tessera.mjs up --port 0 --data-dir /tmp/data";
    // The wait has an end, and so has the server.
    const script = `${up} > /tmp/said 2>&1 & server=$!
      for try in $(seq 900); do
        url=$(sed -n 's/^tessera is ready at //p' /tmp/said)
        test -n "$url" && wget -qO /tmp/page "$url/fleet" && break
        sleep 0.1
      done
      kill $server; wait $server; echo "ended with $?"; cat /tmp/said /tmp/page`;
    const said = await inImage(["sh", "-c", script]);
    expect(said).toContain("store        SQLite");
    expect(said).toContain("ended with 0");
    expect(said).toContain('<script type="module"');
  });

  it("keeps its data where the image says, which belongs to the user that it runs as", async () => {
    const script = `const fs = require("fs");
      fs.writeFileSync("/var/lib/tessera/x", "");
      console.log(fs.statSync("/var/lib/tessera").uid, process.getuid());`;
    expect(await inImage(["/usr/local/bin/node", "-e", script])).toBe("65532 65532\n");
    const up = ["/usr/local/bin/node", "/app/tessera.mjs", "up", "--host", "0.0.0.0"];
    await expect(inImage(up)).rejects.toMatchObject({
      stderr: expect.stringContaining("E_TOKEN_NOT_CONFIGURED"),
    });
  });

  it("refuses to listen for others without a token that somebody chose", async () => {
    const up = ["/usr/local/bin/node", "/app/tessera.mjs", "up", "--host", "0.0.0.0"];
    await expect(inImage([...up, "--data-dir", "/tmp/other"])).rejects.toMatchObject({
      stderr: expect.stringContaining("E_TOKEN_NOT_CONFIGURED"),
    });
  });

  function inImage(command: readonly string[]): Promise<string> {
    return buildah("run", container, "--", ...command);
  }

  /** Keeps all it makes in the folder, and needs neither a registry nor a daemon. */
  async function buildah(...args: readonly string[]): Promise<string> {
    const where = ["--root", join(folder, "images"), "--runroot", join(folder, "run")];
    const env = { ...process.env, STORAGE_DRIVER: "vfs", BUILDAH_ISOLATION: "chroot" };
    const options = { cwd: root, env, maxBuffer: 2 ** 26 };
    return (await run("buildah", [...where, ...args], options)).stdout;
  }
});
