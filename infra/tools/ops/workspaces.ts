import { readAggregate } from '../../../gateway/http/records/read-aggregate.ts';
import { firstOrganizationId } from '../../../gateway/people/set-up-code.ts';
import { idSchema, installationOf, workspaceOf } from '../../../schemas/base/ids.ts';
import { type WorkspaceDocument, workspaceRootSchema } from '../../../schemas/workspaces/documents.ts';
import { type Reader, withMachine } from './engine.ts';
import { type Given, UsageError, type VerbResult, word } from './verb.ts';

/** Ends a preview now. */
export async function expireWorkspace(given: Given): Promise<VerbResult> {
  const installationId = installationIn(given);
  return await withMachine(given, async ({ engine, submit }) => {
    const { name } = await existing(engine.store, installationId);
    await submit({ topic: 'workspaces', key: installationId, type: 'expire', input: {} });
    return done(installationId, `The preview "${name}" has ended. Its data stays until it is erased.`);
  });
}

/** Erases a workspace in any state, with everything in it. */
export async function eraseWorkspace(given: Given): Promise<VerbResult> {
  const installationId = installationIn(given);
  return await withMachine(given, async ({ engine, secrets, submit }) => {
    const { name, attachment } = await existing(engine.store, installationId);
    if (given.options['confirm'] !== name)
      throw new UsageError(
        `confirm: expected --confirm with the name of the workspace, ${JSON.stringify(name)}`,
      );
    const organizationId = attachment?.organizationId ?? firstOrganizationId(secrets);
    await submit({ topic: 'workspaces', key: installationId, type: 'erase', input: { organizationId } });
    return done(
      installationId,
      `"${name}" is erased for all requests. Processors remove its rows and files. Backups still have them.`,
    );
  });
}

function done(installationId: string, line: string): VerbResult {
  return { data: { installationId, workspaceId: workspaceOf(installationId) }, lines: [line] };
}

/**
 * Returns the installation that the command line names.
 *
 * @throws {UsageError} if it is neither the id of an installation nor that of a workspace
 */
export function installationIn(given: Given): string {
  const id = word(given, 'installation');
  if (idSchema('installation').safeParse(id).success) return id;
  if (idSchema('workspace').safeParse(id).success) return installationOf(id);
  throw new UsageError(`installation: seen "${id}"; expected an id such as ins_… or wks_…`);
}

/**
 * Reads a workspace that exists.
 *
 * @throws {UsageError} that says what was found instead
 */
export async function existing(store: Reader['store'], installationId: string): Promise<WorkspaceDocument> {
  const ref = { table: 'workspaces', id: installationId } as const;
  const { root } = await readAggregate(store, ref, workspaceRootSchema);
  if (root !== null && root.state !== 'erased') return root;
  const seen = root === null ? 'which does not exist' : 'which is erased';
  throw new UsageError(
    `installation: seen "${installationId}", ${seen}; expected one of a workspace, as the console and the log show it`,
  );
}
