import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  FOLDERS,
  faultsOf,
  type Manifest,
  manifestFiles,
  readManifests,
  readYaml,
} from './manifests.fixture.ts';

/** Kinds of operators whose schemas no package brings; infra/docs/deployment.md says how they were checked. */
const OPERATORS_KINDS = ['K8ssandraCluster', 'Kafka', 'KafkaNodePool', 'KafkaUser'];

const kustomizationSchema = z.looseObject({ resources: z.array(z.string()) });

describe.each(FOLDERS)('the manifests of %s', (folder) => {
  const manifests = readManifests(folder);

  it('are all named by its kustomization', () => {
    const { resources } = kustomizationSchema.parse(readYaml(folder, 'kustomization.yaml'));
    const files = resources.filter((resource) => resource.endsWith('.yaml'));
    expect(files.sort()).toEqual(manifestFiles(folder));
    expect(manifests).not.toEqual([]);
  });

  it('are what their schemas say, to the last member', () => {
    const faults = manifests.flatMap((manifest) =>
      (faultsOf(manifest) ?? []).map((fault) => `${nameOf(manifest)}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('have a schema, except those of the operators', () => {
    const without = manifests.filter((manifest) => faultsOf(manifest) === null).map(({ kind }) => kind);
    expect(without.filter((kind) => !OPERATORS_KINDS.includes(kind))).toEqual([]);
  });

  it('have names of their own', () => {
    const names = manifests.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });

  it('hold no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

describe('faultsOf', () => {
  const budget = (spec: object): Manifest => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'gateway', labels: { any: 'name' } },
    spec,
  });

  it('finds nothing wrong with what is right', () => {
    expect(faultsOf(budget({ maxUnavailable: 1, selector: { matchLabels: { app: 'svc' } } }))).toEqual([]);
  });

  it('finds what is misspelled, however deep', () => {
    expect(faultsOf(budget({ maxUnavailabel: 1, selector: { matchLabel: { app: 'svc' } } }))).toEqual([
      'spec.maxUnavailabel: unknown',
      'spec.selector.matchLabel: unknown',
      'spec.selector.matchLabel.app: unknown',
    ]);
  });

  it('finds what is of the wrong type', () => {
    expect(faultsOf(budget({ selector: 'gateway' }))).toEqual([expect.stringContaining('/spec/selector')]);
  });
});

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}
