import { algorithms, collectiveOps } from "../../runtime/dist/time-model/index.ts";
import { topologyNames, topologyOf } from "../../runtime/dist/topology/index.ts";
import { workloadNames } from "../../runtime/scaling/workload/index.ts";
import { studiesRoutes } from "../api/routes/studies.ts";
import type {
  CollectiveCurve,
  ScalingStudyView,
  StudiesPort,
  StudyChoices,
} from "../api/studies.ts";
import type { Service, ServiceContext } from "../service.ts";
import { AnswerCache } from "./answer-cache.ts";
import { collectiveCurve } from "./collective-curve.ts";
import { scalingStudy } from "./scaling-study.ts";

const answersMax = 200;

/** What the time model says about collectives and scaling: no state, nothing measured. */
export function createStudiesService(_context?: ServiceContext): Service {
  const curves = new AnswerCache<CollectiveCurve>(answersMax);
  const studies = new AnswerCache<ScalingStudyView>(answersMax);
  const port: StudiesPort = {
    choices: async () => choices(),
    collective: (query) =>
      curves.of(JSON.stringify(query), () => Promise.resolve(collectiveCurve(query))),
    scaling: (query) => studies.of(JSON.stringify(query), () => scalingStudy(query)),
  };
  return { routes: studiesRoutes(port) };
}

function choices(): StudyChoices {
  return {
    topologies: topologyNames.map((name) => {
      const { title, network, domainGpus } = topologyOf(name);
      return { name, title, devicesMax: network === undefined ? domainGpus : null };
    }),
    ops: [...collectiveOps],
    algorithms: [...algorithms],
    workloads: [...workloadNames],
  };
}
