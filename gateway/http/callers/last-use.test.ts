import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { principal } from '../../principals.ts';
import type { GatewayServices, UntypedCommand } from '../../services.ts';
import { ORGANIZATION, workspaceNamed } from '../gateway.fixture.ts';
import type { Authenticators } from './bearer.ts';
import { LastUse, recordingLastUse } from './last-use.ts';

const { lastUseMs } = DEFAULT_LIMITS.workspace;
const request = {} as IncomingMessage;

/** A gateway whose callers are let in as they name themselves, and that keeps what it is told to submit. */
class Gateway {
  readonly submitted: UntypedCommand[] = [];
  readonly #authenticators: Authenticators;
  caller = 'one';
  now = 0;
  /** The fate of a command; a test that sets this settles each by hand. */
  fate: () => Promise<object> = async () => ({});

  constructor() {
    const project = async () =>
      this.caller === 'nobody'
        ? null
        : principal('project', { id: this.caller, workspace: workspaceNamed('own') });
    const console = async () =>
      principal('console', {
        id: this.caller,
        personKey: 'person',
        sessionDigest: 'digest',
        organizationId: ORGANIZATION,
        role: 'owner',
        operator: false,
      });
    this.#authenticators = recordingLastUse({ project, console } as unknown as Authenticators, new LastUse());
  }

  async call(caller: string, kind: 'project' | 'console' = 'project') {
    this.caller = caller;
    return await this.#authenticators[kind](request, this.#services());
  }

  #services(): GatewayServices {
    return {
      clock: { now: () => this.now },
      entropy: { bytes: (count: number) => new Uint8Array(count) },
      limits: DEFAULT_LIMITS,
      submit: async (command: UntypedCommand) => {
        this.submitted.push(command);
        return await this.fate();
      },
    } as unknown as GatewayServices;
  }
}

it('is told once an hour for each caller, by ids alone', async () => {
  const gateway = new Gateway();
  for (const caller of ['one', 'one', 'two']) await gateway.call(caller);
  gateway.now = lastUseMs - 1;
  await gateway.call('one');
  expect(gateway.submitted).toMatchObject([
    {
      topic: 'workspaces',
      key: workspaceNamed('own').installationId,
      type: 'credential-used',
      input: { credentialId: 'one' },
    },
    {
      topic: 'workspaces',
      key: workspaceNamed('own').installationId,
      type: 'credential-used',
      input: { credentialId: 'two' },
    },
  ]);
  gateway.now = lastUseMs;
  await gateway.call('one');
  expect(gateway.submitted).toHaveLength(3);
});

it('is recorded for people as well, and not for a caller who was not let in', async () => {
  const gateway = new Gateway();
  await gateway.call('person', 'console');
  await gateway.call('nobody');
  expect(gateway.submitted).toMatchObject([{ topic: 'people', key: 'person', type: 'seen', input: {} }]);
});

it('never fails or holds up the request, and is told again by the next one', async () => {
  const gateway = new Gateway();
  gateway.fate = async () => {
    throw new Error('submitting to an engine that is down');
  };
  expect(await gateway.call('one')).toMatchObject({ id: 'one' });
  gateway.fate = () => new Promise(() => {});
  expect(await gateway.call('one')).toMatchObject({ id: 'one' });
  expect(await gateway.call('one')).toMatchObject({ id: 'one' });
  expect(gateway.submitted).toHaveLength(2);
});

it('holds a bounded number of commands open', async () => {
  const gateway = new Gateway();
  gateway.fate = () => new Promise(() => {});
  for (let number = 0; number < 100; number += 1) await gateway.call(`caller ${number}`);
  expect(gateway.submitted).toHaveLength(16);
});

it('remembers a bounded number of callers', async () => {
  const gateway = new Gateway();
  for (let number = 0; number <= 10_000; number += 1) await gateway.call(`caller ${number}`);
  await gateway.call('caller 10000');
  await gateway.call('caller 0');
  expect(gateway.submitted).toHaveLength(10_002);
});
