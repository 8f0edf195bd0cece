// Reads: the manifests in this folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor, PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { watch } from './known-members.fixture.ts';

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The models of the API server, for all kinds that no operator adds. */
const MODELS = [
  ...[Deployment, StatefulSet, Job, HorizontalPodAutoscaler, PodDisruptionBudget],
  ...[Ingress, NetworkPolicy, Namespace, Service, ServiceAccount],
  ...[ScaledObject, TriggerAuthentication, PodMonitor, PrometheusRule],
];

/** The folders with a `kustomization.yaml`. */
export const FOLDERS = ['service', 'engines', 'example'] as const;
export type Folder = (typeof FOLDERS)[number];

export function pathOf(folder: Folder, file: string): string {
  return join(import.meta.dirname, folder, file);
}

/** The names of the files of a folder that hold manifests. */
export function manifestFiles(folder: Folder): string[] {
  const files = readdirSync(pathOf(folder, '.')).filter((file) => file.endsWith('.yaml'));
  return files.filter((file) => file !== 'kustomization.yaml').sort();
}

/** Every manifest of a folder. */
export function readManifests(folder: Folder): Manifest[] {
  return manifestFiles(folder).flatMap((file) => manifestsOf(readFileSync(pathOf(folder, file), 'utf8')));
}

/** The manifests of a file. */
export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text, { merge: true }).map((document) => manifestSchema.parse(document.toJS()));
}

export function readYaml(folder: Folder, file: string): unknown {
  return parse(readFileSync(pathOf(folder, file), 'utf8'));
}

/** Returns the faults of a manifest, unknown members included; null if there is no schema for it. */
export function faultsOf(manifest: Manifest): string[] | null {
  const model = MODELS.find(
    ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
  );
  if (model === undefined) return null;
  const { value, unseen } = watch(manifest);
  const faults: string[] = [];
  try {
    // Called as a function: a constructed model would be a copy, and would read every member.
    model.prototype.validate.call(value as InstanceType<typeof model>);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return [...faults, ...unseen().map((path) => `${path}: unknown`)];
}
