{{- define "assay.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}

{{- define "assay.brokers" -}}
{{- if .Values.kafka.strimzi.enabled }}{{ include "assay.name" . }}-kafka-bootstrap:9092{{ else }}{{ .Values.kafka.brokers }}{{ end }}
{{- end }}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* A pod of a role: .root, .component, .role, .networks, .port, .resources */}}
{{- define "assay.pod" -}}
metadata:
  labels:
    {{- include "assay.labels" . | nindent 4 }}
  annotations:
    # A change of settings restarts the pods.
    checksum/settings: {{ toJson .root.Values.settings | sha256sum }}
spec:
  automountServiceAccountToken: false
  # Variables that Kubernetes derives from service names could look like settings.
  enableServiceLinks: false
  # Assay takes up to 30 s to finish its work, plus ASSAY_DRAIN_SECONDS.
  terminationGracePeriodSeconds: 100
  {{- with .root.Values.pullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{ include "assay.selector" . | nindent 10 }}
  containers:
    - name: assay
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .role }}]
      ports:
        - { name: http, containerPort: {{ .port }} }
      env:
        - { name: ASSAY_HOST, value: 0.0.0.0 }
        - { name: ASSAY_NETWORKS, value: {{ join "," .networks | quote }} }
        - { name: KAFKA_BROKERS, value: {{ include "assay.brokers" .root | quote }} }
        {{- if eq .role "api" }}
        - { name: ASSAY_PORT, value: "8080" }
        - { name: ASSAY_PUBLIC_URL, value: {{ .root.Values.api.publicUrl | quote }} }
        - { name: ASSAY_TRUST_PROXY, value: {{ .root.Values.api.trustProxy | quote }} }
        {{- if not (hasKey .root.Values.settings "ASSAY_DRAIN_SECONDS") }}
        # The service keeps sending requests for a moment after its pod has begun to end.
        - { name: ASSAY_DRAIN_SECONDS, value: "15" }
        {{- end }}
        {{- end }}
        {{- range $name, $value := .root.Values.settings }}
        # As JSON: toString writes 19000000 as 1.9e+07, which Assay does not read as an integer.
        - { name: {{ $name }}, value: {{ (kindIs "float64" $value | ternary ($value | toJson) ($value | toString)) | quote }} }
        {{- end }}
        {{- range .root.Values.secrets.keys }}
        - { name: {{ . }}_FILE, value: /run/secrets/assay/{{ . }} }
        {{- end }}
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/assay, readOnly: true }
        - { name: scratch, mountPath: /tmp }
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 15
        timeoutSeconds: 5
        failureThreshold: 4
      readinessProbe:
        httpGet: { path: /ready, port: http }
        periodSeconds: 10
        timeoutSeconds: 8
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources: {{ toYaml .resources | nindent 8 }}
  volumes:
    - name: secrets
      secret:
        secretName: {{ .root.Values.secrets.name }}
        items:
          {{- range .root.Values.secrets.keys }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
    - name: scratch
      emptyDir: { sizeLimit: 64Mi }
{{- end }}
