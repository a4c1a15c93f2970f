import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "..", "..");
const cacheDir = join(repository, "node_modules", ".cache", "tessera");
const systemBrowsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
];
const launchTimeoutMs = 60_000;
const unpackTimeoutMs = 120_000;

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--no-zygote",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-sync",
  "--font-render-hinting=none",
];

interface Candidate {
  readonly name: string;
  readonly executablePath: string;
  /** Folder of shared libraries that the machine itself may not have. */
  readonly libraries?: string;
}

/**
 * Starts a headless Chromium: the one CHROMIUM_PATH names, the system's, or the one inside
 * @sparticuz/chromium. Returns the reason instead when none starts here.
 */
export async function launchBrowser(): Promise<Browser | string> {
  const reasons: string[] = [];
  for await (const candidate of candidates(reasons)) {
    try {
      return await launch(candidate);
    } catch (error) {
      reasons.push(`${candidate.name}: ${firstLines(error)}`);
    }
  }
  return `no Chromium starts here (${reasons.join("; ")})`;
}

async function* candidates(reasons: string[]): AsyncGenerator<Candidate> {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined) {
    yield { name: "CHROMIUM_PATH", executablePath: named };
    return;
  }
  for (const executablePath of systemBrowsers.filter((path) => existsSync(path))) {
    yield { name: executablePath, executablePath };
  }
  try {
    const folder = await unpackedFolder();
    const executablePath = join(folder, "chromium");
    yield { name: "@sparticuz/chromium", executablePath };
    const libraries = join(folder, "al2023", "lib");
    yield { name: "@sparticuz/chromium with its own libraries", executablePath, libraries };
  } catch (error) {
    reasons.push(`@sparticuz/chromium: ${firstLines(error)}`);
  }
}

async function launch({ executablePath, libraries }: Candidate): Promise<Browser> {
  const env = libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };
  const browser = await chromium.launch({
    executablePath,
    args,
    timeout: launchTimeoutMs,
    env: { ...definedEnv(), ...env },
  });
  try {
    // A browser may start and still not be able to render.
    const page = await browser.newPage();
    await page.setContent("<p>ready</p>");
    await page.close();
    return browser;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** The package's Chromium, unpacked once: a folder appears whole or not at all. */
async function unpackedFolder(): Promise<string> {
  const manifest = join(repository, "node_modules", "@sparticuz", "chromium", "package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const folder = join(cacheDir, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheDir, { recursive: true });
  const scratch = await mkdtemp(join(cacheDir, "chromium-unpacking-"));
  try {
    await run(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        'import chromium from "@sparticuz/chromium"; await chromium.executablePath();',
      ],
      {
        cwd: repository,
        timeout: unpackTimeoutMs,
        // The package unpacks into the temporary folder, and its libraries only where it takes
        // the machine for one of AWS.
        env: { ...definedEnv(), TMPDIR: scratch, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
      },
    );
    await rename(scratch, folder);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    // Another test run may have been quicker.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}

function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n").slice(0, 3).join(" ").slice(0, 300);
}
