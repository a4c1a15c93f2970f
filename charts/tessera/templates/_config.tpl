{{/* tessera.yaml: what the values say, then `config`, which wins. */}}
{{- define "tessera.config" -}}
{{- $name := include "tessera.fullname" . -}}
{{- $account := printf "%s/%s" .Release.Namespace $name -}}
{{- $config := dict
  "dataDir" "/var/lib/tessera"
  "log" (dict "format" "json")
  "server" (dict "host" "0.0.0.0" "port" (int .Values.server.port) "tokenFile" "/etc/tessera/admin/token")
-}}
{{- if .Values.server.clusterTokens.enabled -}}
{{- $tokens := dict "enabled" true -}}
{{- with .Values.server.clusterTokens.audiences -}}{{- $_ := set $tokens "audiences" . -}}{{- end -}}
{{- $_ := set $config.server "clusterTokens" $tokens -}}
{{- end -}}
{{- with .Values.validation -}}
{{- if .enabled -}}
{{- $actAs := dict "reader" (printf "%s-reader" $account) "submitter" (printf "%s-submitter" $account) -}}
{{- if eq .act "on" -}}{{- $_ := set $actAs "cordoner" (printf "%s-cordoner" $account) -}}{{- end -}}
{{- $url := default (printf "http://%s.%s.svc:%d" $name $.Release.Namespace (int $.Values.server.port)) .resultUrl -}}
{{- $entry := dict
  "name" .name
  "kind" "kubernetes"
  "namespace" (include "tessera.jobsNamespace" $)
  "image" .image
  "scheduler" .scheduler
  "resultUrl" $url
  "actAs" $actAs
  "ownedByLease" true
  "act" (dict "mode" .act)
-}}
{{- with .nodeSelector -}}{{- $_ := set $entry "nodeSelector" . -}}{{- end -}}
{{- if .resultsClaim -}}
{{- if ne (include "tessera.jobsNamespace" $) $.Release.Namespace -}}
{{- fail "validation.resultsClaim needs jobs in the release's namespace: a claim is mounted only in its own" -}}
{{- end -}}
{{- $_ := set $entry "results" (dict "pvc" .resultsClaim) -}}
{{- $_ := set $entry "resultsDir" "/var/lib/tessera-results" -}}
{{- end -}}
{{- $entry = mergeOverwrite $entry (deepCopy .cluster) -}}
{{- $_ := set $config "validation" (mergeOverwrite (dict "enabled" true "clusters" (list $entry)) (deepCopy .settings)) -}}
{{- else -}}
{{- $_ := set $config "validation" (dict "enabled" false) -}}
{{- end -}}
{{- end -}}
{{- with .Values.experiments.worlds -}}
{{- $experiments := dict "worlds" . -}}
{{- if has "kubernetes" . -}}{{- $_ := set $experiments "actAs" (printf "%s-experimenter" $account) -}}{{- end -}}
{{- $_ := set $config "experiments" $experiments -}}
{{- end -}}
{{- if .Values.injection.enabled -}}
{{- $_ := set $config "hardware" (dict "faultApiUrl" .Values.injection.faultApiUrl "tokenFile" "/etc/tessera/injector/token") -}}
{{- end -}}
{{- mergeOverwrite $config (deepCopy .Values.config) | toYaml -}}
{{- end -}}
