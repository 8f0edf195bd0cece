import { creationSecret } from '../../../gateway/http/records/derive.ts';
import { readAggregate } from '../../../gateway/http/records/read-aggregate.ts';
import { firstOrganizationId, isSetUp, setUpCode } from '../../../gateway/people/set-up-code.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import {
  memberDocumentSchema,
  organizationDocumentSchema,
} from '../../../schemas/organizations/documents.ts';
import { resetLink as linkOfReset } from '../../../schemas/people/link-paths.ts';
import { entropy, type Reader, withMachine, withReader } from './engine.ts';
import { readable } from './rows.ts';
import { type Given, textOption, UsageError, type VerbResult } from './verb.ts';

/** More than an organization has members by any limit. */
const MEMBERS_READ_MAX = 1_000;

/** Prints the one-time link with which the first owner sets the service up. */
export async function setUpLink(given: Given): Promise<VerbResult> {
  return await withReader(given, async ({ store, settings, secrets }) => {
    const keys = secrets();
    if (await isSetUp(store, keys))
      throw new UsageError(
        'set-up link: seen a service that is set up; expected one without an organization. npm run ops -- reset-link makes a link for its owner',
      );
    const url = `${settings.hosts.console}/set-up#${setUpCode(keys)}`;
    return { data: { url }, lines: [url] };
  });
}

/** Makes a one-time link with which an owner sets a new password. */
export async function resetLink(given: Given): Promise<VerbResult> {
  return await withMachine(given, async ({ settings, secrets, engine, submit }) => {
    const organizationId = textOption(given, 'organization') ?? firstOrganizationId(secrets);
    const { userId, personKey } = await findOwner(engine.store, organizationId, textOption(given, 'user'));
    const code = creationSecret({ secrets, entropy }, 'reset', null, []);
    const { expiresAt } = await submit({
      topic: 'people',
      key: personKey,
      type: 'offer-reset',
      input: { organizationId, operator: true, codeDigest: code.digest },
    });
    const url = linkOfReset(settings.hosts.console, code.secret);
    const data = { organizationId, userId, url, expiresAt: isoTime(expiresAt) };
    return { data, lines: [url, `For ${userId}, until ${data.expiresAt}. An earlier link has expired.`] };
  });
}

/** @throws {UsageError} that names the owners, unless exactly one is meant. */
async function findOwner(store: Reader['store'], organizationId: string, userId: string | null) {
  const organization = { table: 'organizations', id: organizationId } as const;
  const { root } = await readAggregate(store, organization, organizationDocumentSchema);
  if (root?.state !== 'active')
    throw new UsageError(
      `organization: seen "${organizationId}", which does not exist; expected one that is set up, such as the one of the set-up link`,
    );
  const rows = await store.list(organization, 'member', { limit: MEMBERS_READ_MAX });
  const owners = rows
    .flatMap(({ id, document }) => {
      const member = readable(memberDocumentSchema, document);
      return member === null ? [] : [{ userId: id, ...member }];
    })
    .filter(({ role }) => role === 'owner');
  const [owner, ...others] = owners.filter((each) => userId === null || each.userId === userId);
  if (owner !== undefined && others.length === 0) return owner;
  const ids = owners.map((each) => each.userId).join(', ');
  throw new UsageError(`user: seen ${userId ?? 'none'}; expected --user with one of the owners ${ids}`);
}
