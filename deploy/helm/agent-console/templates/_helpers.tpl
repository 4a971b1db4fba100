{{- define "agent-console.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "agent-console.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "agent-console.labels" -}}
{{ include "agent-console.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "agent-console.secret" -}}
{{- .Values.existingSecret | default (include "agent-console.name" .) -}}
{{- end -}}

{{- define "agent-console.postgresql" -}}
{{- printf "%s-postgresql" (include "agent-console.name" .) -}}
{{- end -}}

{{- /* What a Secret of this chart has had since it was made, by (list . <its name> <key>). */ -}}
{{- define "agent-console.kept" -}}
{{- $root := index . 0 -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace (index . 1) -}}
{{- if $secret -}}{{- get ($secret.data | default dict) (index . 2) | b64dec -}}{{- end -}}
{{- end -}}
