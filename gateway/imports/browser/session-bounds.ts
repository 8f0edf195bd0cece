import { SESSION_VERSION } from '../../../schemas/imports/http.ts';
import { planLimits } from '../../../schemas/limits.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../../http/services.ts';

/** What every description of a session says of its schema and of what the plan allows of a file. */
export function sessionBounds(
  { limits }: GatewayServices,
  { workspaceId, plan }: WorkspaceView,
  schemaId: string,
) {
  const { importFileBytes, importRows } = planLimits(limits, plan);
  return { version: SESSION_VERSION, workspaceId, schemaId, maxBytes: importFileBytes, maxRows: importRows };
}
