import { stringify } from "yaml";
import { hardwareManifestFiles, type ManifestFile } from "../../src/hardware/deployment/index.ts";

/** What the files of deploy/hardware are made for; a real installation changes these. */
const shipped = {
  image: "registry.example/tessera-node:1.0",
  namespacesUnderTest: ["inference"],
} as const;

/** The files of deploy/hardware, as `npm run docs` writes them. */
export const hardwareManifestPages = hardwareManifestFiles(shipped).map((file) => ({
  path: `deploy/hardware/${file.name}`,
  render: () => manifestText(file),
}));

function manifestText({ about, objects }: ManifestFile): string {
  const notice = `# ${about}\n# Made from src/hardware/deployment by \`npm run docs\`.\n`;
  const documents = objects.map((object) =>
    stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return notice + documents.map((text) => `---\n${text}`).join("");
}
