// Reads: the workloads of the service, as Kubernetes would run them.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { SECRET } from '../../service/settings/deployed.fixture.ts';
import { pathOf, readManifests } from './manifests.fixture.ts';

const probeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const containerSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({
        name: z.string(),
        valueFrom: z.object({
          secretKeyRef: z.strictObject({
            name: z.string(),
            key: z.string(),
            optional: z.boolean().default(false),
          }),
        }),
      }),
    ]),
  ),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  startupProbe: probeSchema.extend({ periodSeconds: z.int(), failureThreshold: z.int() }).optional(),
  livenessProbe: probeSchema.optional(),
  readinessProbe: probeSchema.optional(),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.int() }) }) }).optional(),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});

const workloadSchema = z.looseObject({
  kind: z.enum(['Deployment', 'Job']),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.int().optional(),
        securityContext: z.unknown(),
        automountServiceAccountToken: z.boolean(),
        volumes: z.array(z.looseObject({ name: z.string() })),
        containers: z.tuple([containerSchema]),
      }),
    }),
  }),
});

/** A workload of the service, its one container, and the environment of its process. */
export interface DeployedProcess {
  readonly name: string;
  readonly workload: z.infer<typeof workloadSchema>;
  readonly container: z.infer<typeof containerSchema>;
  /** With a stand-in for each secret. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Deployments and the migration. */
export function deployedProcesses(): DeployedProcess[] {
  const workloads = readManifests('service').filter(({ kind }) => ['Deployment', 'Job'].includes(kind));
  return workloads.map((manifest) => {
    const workload = workloadSchema.parse(manifest);
    const [container] = workload.spec.template.spec.containers;
    return { name: workload.metadata.name, workload, container, environment: environmentOf(container) };
  });
}

/** The literals from which `configMapGenerator` makes `svc-settings`. */
export function sharedSettings(): Record<string, string> {
  return parseSettings(readFileSync(pathOf('service', 'settings.env'), 'utf8'));
}

/** Lines of `NAME=value`, with comments. */
export function parseSettings(text: string): Record<string, string> {
  return z.record(z.string(), z.string()).parse(parseEnv(text));
}

function environmentOf({ env, envFrom }: z.infer<typeof containerSchema>): Record<string, string> {
  const names = envFrom.map(({ configMapRef }) => configMapRef.name);
  if (names.join() !== 'svc-settings') throw new Error(`looking for the ConfigMap ${names.join()}`);
  // What is optional may be missing, and then has to be.
  const needed = env.filter((variable) => 'value' in variable || !variable.valueFrom.secretKeyRef.optional);
  const own = needed.map((variable) => [variable.name, 'value' in variable ? variable.value : SECRET]);
  return { ...sharedSettings(), ...Object.fromEntries(own) };
}
