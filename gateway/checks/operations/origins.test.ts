import { describe, expect, it, vi } from 'vitest';
import { outcomeRowId, RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { workspaceNamed } from '../../http/gateway.fixture.ts';
import { confirmOriginRoute } from './origins.ts';

const NOW = Date.UTC(2026, 0, 1);
const ORIGIN = {
  origin: 'https://site.example',
  token: 'b'.repeat(24),
  createdAt: NOW,
  verifiedAt: null,
  endsAt: NOW + 1_000,
};
const CONFIRM = { schemaVersion: '2026-08-24', idempotencyKey: 'one' } as const;

describe('POST …/svccheck/origins/{originId}/confirm', () => {
  it.each([
    ['reads the proof in the turn of the workspace', [], 1],
    ['reads no proof where the outcome of its key is remembered', ['confirmCheckOrigin'], 0],
    ['reads it where the key was one of another operation', ['createCheckOrigin'], 1],
  ] as const)('%s', async (_what, operations, readings) => {
    const workspace = workspaceNamed('own', { plan: 'preview', creator: 'somewhere' });
    const { installationId } = workspace;
    const remembered = operations.map((operation) => outcomeRowId(operation, CONFIRM.idempotencyKey));
    const rows = [
      { kind: 'origin', id: 'ori', document: ORIGIN },
      ...remembered.map((id) => ({ kind: RUNTIME_KINDS.outcome, id, document: {} })),
    ];
    const isAsked = (row: { kind: string; id: string }, keys: readonly { kind: string; id: string }[]) =>
      keys.some(({ kind, id }) => kind === row.kind && id === row.id);
    const proofs = { read: vi.fn(async () => ({ kind: 'matches' })) };
    const services = {
      clock: { now: () => NOW },
      proofs,
      store: {
        read: async (_aggregate: unknown, keys: readonly { kind: string; id: string }[]) => ({
          root: null,
          rows: rows.filter((row) => isAsked(row, keys)),
        }),
      },
    };
    const submit = vi.fn(async () => ({ originId: 'ori', ...ORIGIN, verifiedAt: NOW }));
    const params = { installationId, originId: 'ori' };
    await confirmOriginRoute.handle?.({ params, workspace, body: CONFIRM, services, submit } as never);
    expect(submit).toHaveBeenCalledOnce();
    expect(proofs.read).toHaveBeenCalledTimes(readings);
    if (readings === 0) return;
    const party = { workspace: installationId, creator: 'somewhere', isPreview: true };
    expect(proofs.read).toHaveBeenCalledWith(expect.anything(), party);
  });
});
