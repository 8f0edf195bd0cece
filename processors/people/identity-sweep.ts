import { peopleCommands } from '../../schemas/people/commands.ts';
import { IDENTITY_TIDIED_AFTER_MS } from '../../schemas/people/identity-blob.ts';
import { commandTo } from '../runtime/fold/results.ts';
import type { Sweep } from '../runtime/sweeps/sweeper.ts';

/** Removes the e-mail addresses and password verifiers of requests that changed nothing. */
export const identitySweep: Sweep<typeof peopleCommands> = {
  topic: 'people',
  commands: peopleCommands,
  name: 'identities',
  types: ['announce-identity'],
  delayMs: IDENTITY_TIDIED_AFTER_MS,
  due: async (command, personKey) => {
    if (command.type !== 'announce-identity') return [];
    const { identityBlob } = command.input;
    return [commandTo({ topic: 'people', key: personKey, type: 'tidy-identity', input: { identityBlob } })];
  },
};
