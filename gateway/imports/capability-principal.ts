import { digestsEqual } from '../../schemas/base/digest.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import {
  capabilityDocumentSchema,
  capabilityTargetSchema,
  importsRootSchema,
} from '../../schemas/imports/documents.ts';
import { type Authenticator, bearerSecret } from '../http/bearer.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import { principal } from '../principals.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { importsAggregate } from './load-import.ts';

/**
 * The customer's backend (`svc_capability_…`). The look-up only points: the capability's own document says whether it
 * holds now. The preview's end bounds it too; that is the workspace's state, which the gateway answers with 410.
 */
export const capabilityPrincipal: Authenticator<'capability'> = async (request, services) => {
  const { lookups, store, clock } = services;
  const secret = bearerSecret(request, 'capability');
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const pointer = await lookups.get({ kind: 'capability', digest });
  if (pointer === null) return null;
  const { installationId, capabilityId } = capabilityTargetSchema.parse(pointer);
  const [workspace, imports] = await Promise.all([
    findWorkspace(store, installationId),
    readAggregate(store, importsAggregate(installationId), importsRootSchema, [
      { kind: 'capability', id: capabilityId },
    ]),
  ]);
  const capability = imports.row('capability', capabilityId, capabilityDocumentSchema);
  if (workspace === null || capability === null || !digestsEqual(capability.digest, digest)) return null;
  if (capability.revokedAt !== null || clock.now() >= capability.endsAt) return null;
  return principal('capability', { id: capabilityId, owned: { schemaId: capability.schemaId }, workspace });
};
