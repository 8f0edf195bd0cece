import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { agentOf, memberOf, ownerOf } from '../audiences.ts';
import type { RouteContext } from '../http/routing/route.ts';
import type { PrincipalKind } from '../principals.ts';

const product = 'svccheck';

/** The customer's backend or a coding agent. */
export const checkAgent = agentOf(product);

export const checkMember = memberOf(product);
export const checkOwner = ownerOf(product);

/** A request about one workspace as far as operations need it that an agent and a person share. */
export interface CheckRequest<Body>
  extends Pick<
    RouteContext<PrincipalKind, unknown, unknown, Body, WorkspaceView>,
    'workspace' | 'body' | 'services' | 'submit'
  > {}
