import { describe, expect, it, vi } from 'vitest';
import type { Party } from '../../../schemas/workspaces/party.ts';
import type { ProofReading } from '../../../topics/ports/proofs.ts';
import { takeTurns } from './proof-turns.ts';

const WAIT = { timeout: 45_000, interval: 10 };

function partyOf(workspace: string, creator = 'crowd'): Party {
  return { workspace, creator, isPreview: true };
}

/** Readers of proofs from servers that answer when the test says so, and otherwise at once. */
function worldOf() {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const proofs = takeTurns({
    async read({ url }) {
      asked.push(url);
      if (url.startsWith('silent')) await new Promise<void>((resolve) => answers.set(url, resolve));
      return { kind: 'matches' };
    },
  });
  const read = (url: string, party: Party): Promise<ProofReading> => proofs.read({ url, content: '' }, party);
  return { asked, answers, read };
}

describe('readings of proofs', () => {
  it('do not wait for the silent servers of others', async () => {
    const { asked, read } = worldOf();
    for (const workspace of 'abcdefghi') {
      for (const url of ['silent 1', 'silent 2', 'silent 3']) {
        // The third one gets no turn in time.
        read(url + workspace, partyOf(workspace)).catch(() => undefined);
      }
    }
    expect(await read('tenth', partyOf('j', 'another'))).toEqual({ kind: 'matches' });
    expect(await read('eleventh', partyOf('k'))).toEqual({ kind: 'matches' });
    expect(asked).toHaveLength(2 * 9 + 2);
  });

  it('are shared by all who ask for the same file meanwhile', async () => {
    const { asked, answers, read } = worldOf();
    const readings = [1, 2, 3].map(() => read('silent', partyOf('a')));
    await vi.waitFor(() => expect(asked).toEqual(['silent']), WAIT);
    answers.get('silent')?.();
    expect(await Promise.all(readings)).toEqual(readings.map(() => ({ kind: 'matches' })));
    void read('silent', partyOf('a'));
    await vi.waitFor(() => expect(asked).toEqual(['silent', 'silent']), WAIT);
  });

  it('of one creator are refused once too many wait, and those of another are not', async () => {
    const { asked, read } = worldOf();
    const crowd = Array.from({ length: 120 }, (_, index) => {
      return read(`silent ${index}`, partyOf(String(index))).then(
        () => null,
        (error: unknown) => error,
      );
    });
    expect(await crowd.at(-1)).toMatchObject({ refusal: { code: 'rate_limited', retryAfterSeconds: 5 } });
    const owner = { workspace: 'owner', creator: 'organization', isPreview: false };
    expect(await read('of an owner', owner)).toEqual({ kind: 'matches' });
    // Previews together have half of the turns.
    expect(asked).toHaveLength(32 + 1);
  });
});
