import type { z } from 'zod';
import { serviceError } from '../../schemas/base/errors.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { consoleWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import type { GatewayServices } from '../services.ts';
import { type WorkspaceContents, workspaceContents } from './contents.ts';
import { readWorkspace } from './load-workspace.ts';
import { workspaceAnswer } from './workspace-answers.ts';

type ConsoleWorkspace = z.infer<typeof consoleWorkspaceSchema>;

/**
 * The answer with an attached workspace, as its owner sees it.
 *
 * @throws {ServiceError} `not_found` for a workspace that is attached to no organization.
 */
export async function consoleWorkspaceAnswer(services: GatewayServices, installationId: string) {
  const root = await readWorkspace(services.store, installationId);
  const { contents, unreadable } = await workspaceContents(services, installationId, root ?? NO_CREDENTIALS);
  const body: ConsoleWorkspace = { ...shownRoot(services, installationId, root), ...contents };
  return { body, unreadable };
}

const NO_CREDENTIALS = { firstCredentialId: null, extraCredentialIds: [] };

/**
 * The members of that answer which the root of the workspace has.
 *
 * @throws {ServiceError} `not_found` for a workspace that is attached to no organization.
 */
export function shownRoot(
  services: GatewayServices,
  installationId: string,
  root: WorkspaceDocument | null,
): Omit<ConsoleWorkspace, keyof WorkspaceContents | 'unreadable'> {
  if (root === null || root.attachment === null) {
    throw noAttachedWorkspace();
  }
  return {
    ...workspaceAnswer(installationId, root, { now: services.clock.now(), hosts: services.hosts }),
    organizationId: root.attachment.organizationId,
    attachedAt: isoTime(root.attachment.attachedAt),
    claimedAt: isoTimeOrNull(root.claim?.claimedAt ?? null),
  };
}

/** The refusal for a workspace that is attached to no organization. */
export function noAttachedWorkspace() {
  return serviceError('not_found', {
    at: 'path.workspaceId',
    seen: 'the id of no attached workspace',
    expected: 'the id of a workspace of this organization',
  });
}
