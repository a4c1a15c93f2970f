export { type Measurement, measure } from "./measure.ts";
export { type FigureModel, figureModels } from "./models.ts";
