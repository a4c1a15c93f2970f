/** A chart reads no file outside its folder, so these are copied into it. */
export const copiedFiles = [
  { from: "deploy/monitoring/alerts.yaml", to: "charts/tessera/files/alerts.yaml" },
  { from: "deploy/monitoring/grafana-dashboard.json", to: "charts/tessera/files/dashboard.json" },
] as const;
