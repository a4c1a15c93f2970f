{{- define "tessera.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "tessera" .Release.Name -}}
{{- .Release.Name | trunc 42 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-tessera" .Release.Name | trunc 42 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What the Deployment and its Service find pods by; never changes in an upgrade. */}}
{{- define "tessera.selector" -}}
app.kubernetes.io/name: tessera
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: control-plane
{{- end -}}

{{- define "tessera.labels" -}}
app.kubernetes.io/name: tessera
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "tessera.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Whoever may make jobs in a namespace may use every account and Secret in it, so those that change nodes
or break hardware are kept out of reach.
*/}}
{{- define "tessera.jobsNamespace" -}}
{{- $jobs := default .Release.Namespace .Values.validation.namespace -}}
{{- if and .Values.validation.enabled (eq $jobs .Release.Namespace) -}}
{{- if or (eq .Values.validation.act "on") .Values.injection.enabled (eq (include "tessera.breaksPods" .) "true") -}}
{{- fail "validation.act=on, injection.enabled and experiments in kubernetes need jobs in a namespace of their own: set validation.namespace" -}}
{{- end -}}
{{- end -}}
{{- $jobs -}}
{{- end -}}

{{/* Whoever may change pods beside the control plane can become any account there. */}}
{{- define "tessera.breaksPods" -}}
{{- with .Values.experiments -}}
{{- if and (has "kubernetes" .worlds) (has $.Release.Namespace .namespaces) -}}
{{- fail "experiments.namespaces cannot have the release's own namespace in it" -}}
{{- end -}}
{{- has "kubernetes" .worlds -}}
{{- end -}}
{{- end -}}

{{/* What is in force is taken back before the end: 30 s more than the slowest of what may be in force is given. */}}
{{- define "tessera.graceSeconds" -}}
{{- $worlds := .Values.experiments.worlds -}}
{{- if or .Values.injection.enabled (has "kubernetes" $worlds) (has "slurm" $worlds) -}}
150
{{- else if has "host" $worlds -}}
90
{{- else -}}
45
{{- end -}}
{{- end -}}

{{- define "tessera.replicas" -}}
{{- if kindIs "invalid" .Values.replicas -}}
{{- ternary 2 1 (eq .Values.store.engine "postgres") -}}
{{- else -}}
{{- if and (eq .Values.store.engine "sqlite") (gt (int .Values.replicas) 1) -}}
{{- fail "SQLite is a file of one replica; more than one needs store.engine=postgres" -}}
{{- end -}}
{{- .Values.replicas -}}
{{- end -}}
{{- end -}}

{{- define "tessera.adminSecret" -}}
{{- default (printf "%s-admin" (include "tessera.fullname" .)) .Values.adminToken.existingSecret -}}
{{- end -}}

{{/*
The chart's own token, in base64: made once, since an upgrade that made another would lock everybody out. Kept
in the values while the chart is rendered, so that the Secret and its checksum are about the same one.
*/}}
{{- define "tessera.adminToken" -}}
{{- $kept := .Values.adminToken -}}
{{- if not (hasKey $kept "made") -}}
{{- $there := lookup "v1" "Secret" .Release.Namespace (include "tessera.adminSecret" .) -}}
{{- $new := printf "tessera_%s" (randAlphaNum 43) | b64enc -}}
{{- $_ := set $kept "made" (default $new (get (default dict (default dict $there).data) $kept.key)) -}}
{{- end -}}
{{- $kept.made -}}
{{- end -}}

{{- define "tessera.ownClaim" -}}
{{- printf "%s-data" (include "tessera.fullname" .) -}}
{{- end -}}

{{- define "tessera.claim" -}}
{{- default (include "tessera.ownClaim" .) .Values.store.sqlite.existingClaim -}}
{{- end -}}

{{/* The port of an https address, which may go without. */}}
{{- define "tessera.httpsPort" -}}
{{- $host := (urlParse .).host -}}
{{- default "443" (regexFind "[0-9]+$" (regexFind ":[0-9]+$" $host)) -}}
{{- end -}}
