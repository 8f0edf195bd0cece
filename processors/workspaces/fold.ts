import type { Limits } from '../../schemas/limits.ts';
import { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import { workspaceRootSchema, workspaceRowSchemas } from '../../schemas/workspaces/documents.ts';
import { type AnyFold, defineFold } from '../runtime/fold/fold.ts';
import { attach } from './attach.ts';
import { disconnect, expire, pause, resume } from './change-state.ts';
import { claim } from './claim.ts';
import { openClaimLink } from './claim-link.ts';
import { create } from './create.ts';
import { createCredential, noteCredentialUse, revokeCredential, rotateCredential } from './credentials.ts';
import { erase, eraseRows } from './erase.ts';
import { sendLifecycle } from './lifecycle.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

/** The fold of agent workspaces (infra/docs/reference/workspaces.md): one aggregate for each installation. */
export function createWorkspacesFold(limits: Limits): AnyFold {
  return defineFold<WorkspacesFold>({
    topic: 'workspaces',
    commands: workspacesCommands,
    rootSchema: workspaceRootSchema,
    rowSchemas: workspaceRowSchemas,
    limits,
    isErased: ({ state }) => state === 'erased',
    handlers: {
      create,
      'claim-link': openClaimLink,
      attach,
      claim,
      pause,
      resume,
      expire,
      disconnect,
      erase,
      'erase-rows': eraseRows,
      'create-credential': createCredential,
      'rotate-credential': rotateCredential,
      'revoke-credential': revokeCredential,
      'send-lifecycle': sendLifecycle,
      'credential-used': noteCredentialUse,
    },
  });
}
