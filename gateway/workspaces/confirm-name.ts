import { serviceError } from '../../schemas/base/errors.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';

/**
 * Checks that a request that cannot be undone confirms the workspace's name.
 *
 * @throws {ServiceError} `bad_request` for any other text.
 */
export function requireName({ name }: WorkspaceView, { confirm }: { readonly confirm: string }): void {
  if (confirm === name) return;
  throw serviceError('bad_request', {
    at: 'body.confirm',
    seen: 'another text',
    expected: 'the name of the workspace',
  });
}
