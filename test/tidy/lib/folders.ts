import type { Finding, Rule } from "./rule.ts";
import { findFile, folderOf, type Tree } from "./tree.ts";

/** What may lie at the root of the repository, and in src. */
const allowedPlaces = {
  topFolders: [
    ".ci",
    "bench",
    "charts",
    "deploy",
    "docs",
    "examples",
    "images",
    "integrations",
    "native",
    "scripts",
    "src",
    "test",
    "web",
  ],
  topFiles: [
    ".gitignore",
    ".oxlintrc.json",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "biome.json",
    "knip.json",
    "package-lock.json",
    "package.json",
    "tsconfig.build.json",
    "tsconfig.json",
    "vitest.config.ts",
  ],
  rooms: ["chaos", "cli", "control", "hardware", "platform", "runtime", "validation"],
  srcFiles: ["index.ts", "version.ts"],
} as const;

export const foldersRule: Rule = {
  name: "folders",
  promise: "only known folders and files lie at the root and in src",
  find: findStrangers,
};

export const architectureRule: Rule = {
  name: "architecture",
  promise: "docs/architecture.md names every room of src and every folder in it",
  find: findUnnamedFolders,
};

/** Folders and files at the root or in src that the list of allowed places does not have. */
function findStrangers(tree: Tree): readonly Finding[] {
  const strangers = new Map<string, Finding>();
  for (const { path } of tree) {
    const stranger = strangerIn(path.split("/"));
    if (stranger !== undefined) strangers.set(stranger.path, stranger);
  }
  return [...strangers.values()];
}

/** Folders of src, two levels deep, that the description of the architecture leaves out. */
function findUnnamedFolders(tree: Tree): readonly Finding[] {
  const document = "docs/architecture.md";
  const text = findFile(tree, document)?.text;
  if (text === undefined) {
    return [{ path: document, what: "missing", message: "does not exist" }];
  }
  return foldersToName(tree)
    .filter((folder) => !text.includes(folder) && !namesAlone(text, lastPart(folder)))
    .map((folder) => ({ path: document, what: folder, message: `does not name \`${folder}\`` }));
}

function strangerIn([top = "", second = "", third]: readonly string[]): Finding | undefined {
  const isTopFile = second === "";
  const known: readonly string[] = isTopFile ? allowedPlaces.topFiles : allowedPlaces.topFolders;
  if (!known.includes(top)) {
    return stranger(top, isTopFile ? "file at the root" : "folder at the root");
  }
  if (top !== "src") return undefined;
  const isSrcFile = third === undefined;
  const inSrc: readonly string[] = isSrcFile ? allowedPlaces.srcFiles : allowedPlaces.rooms;
  if (inSrc.includes(second)) return undefined;
  return stranger(`src/${second}`, isSrcFile ? "file in src" : "room");
}

function stranger(path: string, kind: string): Finding {
  const message = `is not a known ${kind}: move it, or add it to test/tidy/lib/folders.ts`;
  return { path, what: kind, message };
}

/** A folder in code type, alone or at the head of a path: `store`, `store/sqlite`. */
function namesAlone(text: string, folder: string): boolean {
  return text.includes(`\`${folder}\``) || text.includes(`\`${folder}/`);
}

function lastPart(folder: string): string {
  return folder.slice(folder.lastIndexOf("/") + 1);
}

/** `platform` and `platform/store`; what lies deeper is a detail of its folder. */
function foldersToName(tree: Tree): string[] {
  const folders = tree
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ path }) => {
      const [room, folder] = folderOf(path).split("/").slice(1);
      if (room === undefined) return [];
      return folder === undefined ? [room] : [room, `${room}/${folder}`];
    });
  return [...new Set(folders)].toSorted();
}
