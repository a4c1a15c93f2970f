export { type Manifest, type RankJobOptions, rankJobManifests } from "./rank-job-manifests.ts";
