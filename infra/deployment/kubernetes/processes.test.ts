import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemRoutes } from '../../../gateway/http/system-routes.ts';
import { TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { SHUTDOWN_MS_MAX } from '../../service/service.ts';
import { deployedSettings } from '../../service/settings/deployed.fixture.ts';
import { ROLES } from '../../service/settings/settings.ts';
import { AUTOSCALERS, topicsOf, withTriggers } from '../../tools/interface/scaling.ts';
import { pathOf, readManifests } from './manifests.fixture.ts';
import { deployedProcesses, sharedSettings } from './processes.fixture.ts';

const packageJson = z
  .object({ name: z.string(), version: z.string(), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));

const processes = deployedProcesses();
const servers = processes.filter(({ workload }) => workload.kind === 'Deployment');

describe.each(processes)('the process $name', ({ name, workload, container, environment }) => {
  const { spec } = workload.spec.template;

  it('is given settings that it takes, and no others', () => {
    const { cluster, roles, dataFolder } = deployedSettings(environment);
    expect(cluster).toMatchObject({ kafka: { tls: {}, sasl: { username: 'svc' } } });
    expect(dataFolder).toBe('/data');
    if (workload.kind === 'Deployment') expect(roles).toEqual([name]);
  });

  it('runs what package.json says, from the image of that version', () => {
    const { ops, start } = packageJson.scripts;
    expect(container.command.join(' ')).toBe(workload.kind === 'Job' ? `${ops} ${name}` : start);
    const image = name === 'runner' ? `${packageJson.name}-runner` : packageJson.name;
    expect(container.image).toBe(`${image}:${packageJson.version}`);
  });

  it('may do nothing that it does not need', () => {
    const unprivileged = { runAsNonRoot: true, runAsUser: 65_532 };
    // A runner starts its browsers as another user, which only root may.
    const isRunner = name === 'runner';
    const add = ['CHOWN', 'DAC_OVERRIDE', 'KILL', 'SETGID', 'SETUID'];
    expect(spec.securityContext).toMatchObject(isRunner ? { runAsUser: 0 } : unprivileged);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], ...(isRunner && { add }) },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
  });

  it('mounts volumes that are there, and the files that its settings name', () => {
    const volumes = spec.volumes.map((volume) => volume.name);
    expect(container.volumeMounts.map((mount) => mount.name).sort()).toEqual(volumes.sort());
    const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
    expect(files).not.toEqual([]);
    for (const [, file] of files) {
      expect(container.volumeMounts.map((mount) => mount.mountPath)).toContain(dirname(file));
    }
  });
});

describe.each(servers)('the server $name', ({ name, workload, container, environment }) => {
  it('is asked for its health where it answers', () => {
    const asked = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    const paths = systemRoutes({ unready: async () => null }, () => ({})).map(({ path }) => path);
    expect(asked[2]?.httpGet.path).toBe(name === 'gateway' ? '/livez' : '/readyz');
    for (const probe of asked) {
      expect(paths).toContain(probe?.httpGet.path);
      expect(probe?.httpGet.port).toBe(container.ports[0]?.name);
    }
    expect(container.ports[0]?.containerPort).toBe(deployedSettings(environment).port);
  });

  it('has the time to drain, after what it waits before', () => {
    const waits = container.lifecycle?.preStop.sleep.seconds ?? 0;
    const grace = workload.spec.template.spec.terminationGracePeriodSeconds ?? 0;
    expect(grace * 1_000).toBeGreaterThan(waits * 1_000 + SHUTDOWN_MS_MAX);
  });

  it('is selected by its own labels', () => {
    expect(workload.spec.template.metadata.labels).toEqual(workload.spec.selector?.matchLabels);
  });
});

describe('the deployment', () => {
  it('has every role', () => {
    expect(servers.map(({ name }) => name).sort()).toEqual([...ROLES].sort());
  });

  it('serves every public address', () => {
    const { hosts } = deployedSettings(servers[0]!.environment);
    const expected = new Set(Object.values(hosts).map((address: string) => new URL(address).hostname));
    const [ingress] = readManifests('service').filter(({ kind }) => kind === 'Ingress');
    const { spec } = z
      .object({
        spec: z.object({
          rules: z.array(z.object({ host: z.string() })),
          tls: z.array(z.object({ hosts: z.array(z.string()) })),
        }),
      })
      .parse(ingress);
    expect(new Set(spec.rules.map(({ host }) => host))).toEqual(expected);
    expect(new Set(spec.tls.flatMap((tls) => tls.hosts))).toEqual(expected);
  });

  it('disrupts and scales what there is', () => {
    const names = new Set(servers.map(({ name }) => name));
    const manifests = readManifests('service');
    const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(new Set(budgets.map(({ metadata }) => metadata.name))).toEqual(names);
    const scalers = manifests.filter(({ kind }) =>
      ['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind),
    );
    const target = z.object({ spec: z.object({ scaleTargetRef: z.object({ name: z.string() }) }) });
    expect(new Set(scalers.map((scaler) => target.parse(scaler).spec.scaleTargetRef.name))).toEqual(names);
  });
});

const scaledSchema = z.object({
  spec: z.object({
    minReplicaCount: z.int(),
    maxReplicaCount: z.int(),
    triggers: z.array(z.object({ metadata: z.looseObject({ consumerGroup: z.string() }) })),
  }),
});

/** The consumer groups of each role: their lag is its work. */
const GROUPS = {
  processors: { kind: 'commands', prefix: 'fold' },
  workers: { kind: 'work', prefix: 'work' },
  runner: { kind: 'work', role: 'runner', prefix: 'work' },
} as const;

describe.each(['processors', 'workers', 'runner'] as const)('the autoscaler of %s', (role) => {
  const { prefix, ...handled } = GROUPS[role];
  const topics = topicsOf(handled);
  const manifest = readManifests('service').find(
    (candidate) => candidate.kind === 'ScaledObject' && candidate.metadata.name === role,
  );
  const { spec } = scaledSchema.parse(manifest);

  it('looks at the lag of every topic in the catalogue that it works off, and at no sweep', () => {
    // Of the first generation of each; a topic that has grown needs a trigger for the group of its latest one.
    const group = (topic: TopicName) => `${sharedSettings()['SVC_NAMESPACE']}.${prefix}-${topic}.${topic}`;
    expect(spec.triggers.map(({ metadata }) => metadata.consumerGroup).sort()).toEqual(
      topics.map(group).sort(),
    );
  });

  it('has current triggers: `npm run interface` writes them', () => {
    const name = `${role}-scaling.yaml`;
    const text = readFileSync(pathOf('service', name), 'utf8');
    expect(text).toBe(withTriggers(text, AUTOSCALERS[name]!));
    expect(() => withTriggers('spec:', AUTOSCALERS[name]!)).toThrow('the place of the triggers');
  });

  it('starts no process that would be given no partition', () => {
    const partitions = Math.max(...topics.map((topic) => TOPICS[topic].partitions));
    expect(spec.maxReplicaCount).toBeLessThanOrEqual(partitions);
    expect(spec.minReplicaCount).toBeLessThanOrEqual(spec.maxReplicaCount);
  });
});
