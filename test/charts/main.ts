// Writes what follows from charts/tessera and what the chart takes from elsewhere:
//   npm run chart    deploy/tessera, and the chart's copies of deploy/monitoring
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../cluster/machine/repository.ts";
import { copiedFiles } from "./support/copied-files.ts";
import { noHelm } from "./support/helm.ts";
import { plainManifests } from "./support/plain-manifests.ts";

const root = repositoryRoot();
for (const { from, to } of copiedFiles) {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  if (existsSync(join(root, from))) copyFileSync(join(root, from), join(root, to));
}
if (noHelm === "") {
  for (const { path, render } of plainManifests) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), render());
  }
} else {
  process.stderr.write(`deploy/tessera was not rendered${noHelm}\n`);
  process.exitCode = 1;
}
