import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deployedSettings } from '../../service/settings/deployed.fixture.ts';
import {
  FOLDERS,
  faultsOf,
  type Manifest,
  manifestFiles,
  readManifests,
  readYaml,
} from './manifests.fixture.ts';
import { deployedProcesses, parseSettings } from './processes.fixture.ts';

/** Kinds of operators whose schemas no package brings; infra/docs/deployment.md says how they were checked. */
const OPERATORS_KINDS = ['K8ssandraCluster', 'Kafka', 'KafkaNodePool', 'KafkaUser'];

const kustomizationSchema = z.looseObject({
  resources: z.array(z.string()),
  configMapGenerator: z.array(z.looseObject({ name: z.string() })).optional(),
});

const exampleSchema = z.looseObject({
  images: z.array(z.looseObject({ name: z.string() })),
  patches: z.array(z.looseObject({ target: z.object({ kind: z.string(), name: z.string() }) })),
  configMapGenerator: z.array(
    z.object({ name: z.string(), behavior: z.literal('merge'), literals: z.array(z.string()) }),
  ),
});

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

  it('have distinct names', () => {
    const names = manifests.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });

  it('hold no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

describe('the example', () => {
  const example = exampleSchema.parse(readYaml('example', 'kustomization.yaml'));
  const base = [...readManifests('service'), ...readManifests('engines')];

  it('changes only what is there', () => {
    const patched = example.patches.map(({ target }) => `${target.kind} ${target.name}`);
    expect(base.map(nameOf)).toEqual(expect.arrayContaining(patched));
    const generated = kustomizationSchema.parse(readYaml('service', 'kustomization.yaml')).configMapGenerator;
    const merged = example.configMapGenerator.map(({ name }) => name);
    expect(generated?.map(({ name }) => name)).toEqual(expect.arrayContaining(merged));
    const images = new Set(deployedProcesses().map(({ container }) => container.image.split(':')[0]));
    expect(new Set(example.images.map(({ name }) => name))).toEqual(images);
  });

  it('merges settings that the service takes', () => {
    const literals = example.configMapGenerator.flatMap(({ literals }) => literals);
    for (const { environment } of deployedProcesses()) {
      expect(() => deployedSettings({ ...environment, ...parseSettings(literals.join('\n')) })).not.toThrow();
    }
    expect(literals.join()).toContain('TRUSTED_PROXIES=');
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
