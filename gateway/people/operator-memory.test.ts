import { beforeEach, describe, expect, it } from 'vitest';
import { idFrom } from '../../schemas/base/ids.ts';
import type { Role } from '../../schemas/organizations/documents.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { principal } from '../principals.ts';
import { OperatorMemory, REMEMBERED_MS } from './operator-memory.ts';

const BYTES = new Uint8Array(32);
const DIGEST = 'a'.repeat(64);

function person(role: Role, operator = true) {
  const organizationId = idFrom('organization', BYTES);
  const known = { organizationId, role, operator, personKey: 'b'.repeat(64), sessionDigest: DIGEST };
  return principal('console', { id: idFrom('user', BYTES), ...known });
}

let now: number;
let memory: OperatorMemory;
beforeEach(() => {
  now = 0;
  memory = new OperatorMemory(() => now);
});

const down = async (): Promise<string> => {
  throw new EngineUnavailableError('store');
};
const hanging = () => new Promise<string>(() => undefined);
const role = (ask: () => Promise<string>) => memory.ask(DIGEST, ask, ({ operator }) => operator.role);

describe('the memory of operators', () => {
  it('answers for an engine that is down or hangs, for an hour after the session was seen', async () => {
    memory.note(person('owner'));
    expect([await role(down), await role(hanging), await role(async () => 'found')]).toEqual([
      ...['owner', 'owner', 'found'],
    ]);
    now = REMEMBERED_MS + 1;
    await expect(role(down)).rejects.toThrow(EngineUnavailableError);
  });

  it.each([
    ['an admin', person('admin')],
    ['an owner of another organization', person('owner', false)],
  ])('does not know %s', async (_who, other) => {
    memory.note(person('owner'));
    memory.note(other);
    await expect(role(down)).rejects.toThrow(EngineUnavailableError);
  });

  it('knows no session that has ended, and passes on other errors', async () => {
    memory.note(person('owner'));
    const refused = async () => {
      throw new Error('refused');
    };
    await expect(role(refused)).rejects.toThrow('refused');
    memory.forget(DIGEST);
    await expect(role(down)).rejects.toThrow(EngineUnavailableError);
  });
});
