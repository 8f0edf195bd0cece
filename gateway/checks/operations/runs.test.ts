import { describe, expect, it, vi } from 'vitest';
import { workspaceNamed } from '../../http/gateway.fixture.ts';
import { createRunRoute } from './runs.ts';

const RUN = { schemaVersion: '2026-08-24', idempotencyKey: 'one', suiteId: 'sui' } as const;

describe('POST …/svccheck/runs', () => {
  it.each([
    ['a preview, that of its creator', { plan: 'preview', creator: 'somewhere' }, 'somewhere'],
    ['a claimed workspace, that of its organization', { plan: 'free', organizationId: 'org' }, 'org'],
  ] as const)('tells the fold whose turn a run takes: of %s', async (_whose, differing, creator) => {
    const workspace = workspaceNamed('own', differing);
    const { installationId } = workspace;
    const submit = vi.fn(async () => ({ runId: 'run', originId: 'ori', requestedAt: 0 }));
    const services = { entropy: { bytes: (count: number) => new Uint8Array(count) } };
    const context = { params: { installationId }, workspace, body: RUN, services, submit };
    await createRunRoute.handle?.(context as never);
    expect(submit).toHaveBeenCalledWith(
      expect.objectContaining({ input: expect.objectContaining({ creator }) }),
    );
  });
});
