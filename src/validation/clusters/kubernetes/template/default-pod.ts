/** The pod of both default templates. */
export const defaultPod = `metadata:
  labels:
    tessera.dev/run-id: "{{runId}}"
    tessera.dev/check: "{{check}}"
spec:
  restartPolicy: Never
  activeDeadlineSeconds: "{{runSeconds}}"
  terminationGracePeriodSeconds: 30
  priorityClassName: "{{priorityClass}}"
  runtimeClassName: "{{runtimeClass}}"
  serviceAccountName: "{{serviceAccount}}"
  automountServiceAccountToken: false
  imagePullSecrets:
    - "{{imagePullSecrets}}"
  affinity:
    # This node and no other. Not spec.nodeName: that would go past the scheduler and its accounts.
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchFields:
              - key: metadata.name
                operator: In
                values: ["{{node}}"]
    # One check on a node at a time.
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - topologyKey: kubernetes.io/hostname
          labelSelector:
            matchExpressions:
              - key: tessera.dev/run-id
                operator: Exists
  tolerations:
    - key: nvidia.com/gpu
      operator: Exists
      effect: NoSchedule
    - key: rdma
      operator: Exists
      effect: NoSchedule
    - "{{tolerations}}"
  securityContext:
    runAsUser: "{{runAsUser}}"
    runAsGroup: "{{runAsUser}}"
    runAsNonRoot: "{{runAsNonRoot}}"
    fsGroup: "{{runAsUser}}"
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: check
      image: "{{image}}"
      imagePullPolicy: "{{imagePullPolicy}}"
      command: "{{command}}"
      env:
        - name: HOME
          value: /tmp
        - "{{env}}"
      resources:
        requests:
          cpu: "{{cpu}}"
          memory: "{{memory}}"
        limits:
          cpu: "{{cpu}}"
          memory: "{{memory}}"
          "{{gpuResource}}": "{{gpus}}"
          "{{rdmaResource}}": "{{rdmaDevices}}"
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        - name: shm
          mountPath: /dev/shm
        - "{{resultsMount}}"
  volumes:
    - name: tmp
      emptyDir: {}
    - name: shm
      emptyDir:
        medium: Memory
        sizeLimit: "{{shmSize}}"
    - "{{resultsVolume}}"
`;
