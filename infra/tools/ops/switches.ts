import { readSwitches } from '../../../gateway/operations/read-switches.ts';
import { firstOrganizationId } from '../../../gateway/people/set-up-code.ts';
import { type Switches, switchNameSchema } from '../../../schemas/organizations/switches.ts';
import { withMachine, withReader } from './engine.ts';
import { type Given, type VerbResult, word } from './verb.ts';

/** Shows which new things the service takes. */
export async function listSwitches(given: Given): Promise<VerbResult> {
  return shown(await withReader(given, ({ store, secrets }) => readSwitches({ store, secrets: secrets() })));
}

/** Lets one sort of new things in, or stops it. */
export async function setSwitch(given: Given): Promise<VerbResult> {
  return await withMachine(given, async ({ engine, secrets, submit }) => {
    const before = await readSwitches({ store: engine.store, secrets });
    const name = switchNameSchema.parse(word(given, 'switch'));
    const input = { ...before, [name]: word(given, 'position') === 'on', only: [name] };
    const key = firstOrganizationId(secrets);
    return shown(await submit({ topic: 'organizations', key, type: 'set-switches', input }));
  });
}

function shown(switches: Switches): VerbResult {
  const lines = Object.entries(switches).map(([name, isOn]) => `${name}  ${isOn ? 'on' : 'off'}`);
  return { data: { ...switches }, lines };
}
