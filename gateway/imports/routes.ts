import type { Route } from '../http/route.ts';
import { cancelImportRoute } from './agent/cancel-import.ts';
import { createSchemaRoute } from './agent/create-schema.ts';
import { listSchemasRoute } from './agent/list-schemas.ts';
import { mapImportRoute } from './agent/map-import.ts';
import { readBindingRoute } from './agent/read-binding.ts';
import { readImportRoute } from './agent/read-import.ts';
import { readProductRoute } from './agent/read-product.ts';
import { reserveImportRoute } from './agent/reserve-import.ts';
import { reviseSchemaRoute } from './agent/revise-schema.ts';
import { validateImportRoute } from './agent/validate-import.ts';
import { approveSessionImportRoute } from './browser/approve-import.ts';
import { cancelSessionImportRoute } from './browser/cancel-import.ts';
import { mapSessionImportRoute } from './browser/map-import.ts';
import { mintSessionRoute } from './browser/mint-session.ts';
import { readSessionErrorsRoute } from './browser/read-errors.ts';
import { readSessionImportRoute } from './browser/read-import.ts';
import { readSessionRowsRoute } from './browser/read-rows.ts';
import { readSessionRoute } from './browser/read-session.ts';
import { readSessionSourceRoute } from './browser/read-source.ts';
import { reserveSessionImportRoute } from './browser/reserve-import.ts';
import { validateSessionImportRoute } from './browser/validate-import.ts';
import { approveImportRoute } from './console/approve-import.ts';
import { cancelWorkspaceImportRoute } from './console/cancel-import.ts';
import { createCapabilityRoute } from './console/create-capability.ts';
import { downloadErrorsRoute } from './console/download-errors.ts';
import { eraseImportRoute } from './console/erase-import.ts';
import { listCapabilitiesRoute } from './console/list-capabilities.ts';
import { listWorkspaceImportsRoute } from './console/list-imports.ts';
import { listWorkspaceSchemasRoute } from './console/list-schemas.ts';
import { mapWorkspaceImportRoute } from './console/map-import.ts';
import { readErrorsRoute } from './console/read-errors.ts';
import { readWorkspaceImportRoute } from './console/read-import.ts';
import { readRowsRoute } from './console/read-rows.ts';
import { revokeCapabilityRoute } from './console/revoke-capability.ts';
import { validateWorkspaceImportRoute } from './console/validate-import.ts';
import { acknowledgeBatchRoute } from './delivery/acknowledge-batch.ts';
import { listDeliveriesRoute } from './delivery/list-deliveries.ts';
import { readBatchRoute } from './delivery/read-batch.ts';
import { readDeliveryRoute } from './delivery/read-delivery.ts';
import { uploadSourceRoute } from './upload/upload-source.ts';

/** CSV import (specification 4.6, contract D): the agent's, the upload, the browser's, the backend's and the owner's side. */
export const importRoutes: readonly Route[] = [
  readProductRoute,
  createSchemaRoute,
  reviseSchemaRoute,
  listSchemasRoute,
  reserveImportRoute,
  mapImportRoute,
  validateImportRoute,
  cancelImportRoute,
  readImportRoute,
  readBindingRoute,
  uploadSourceRoute,
  mintSessionRoute,
  readSessionRoute,
  reserveSessionImportRoute,
  readSessionImportRoute,
  readSessionSourceRoute,
  readSessionRowsRoute,
  readSessionErrorsRoute,
  mapSessionImportRoute,
  validateSessionImportRoute,
  approveSessionImportRoute,
  cancelSessionImportRoute,
  listDeliveriesRoute,
  readDeliveryRoute,
  readBatchRoute,
  acknowledgeBatchRoute,
  listWorkspaceSchemasRoute,
  listCapabilitiesRoute,
  createCapabilityRoute,
  revokeCapabilityRoute,
  listWorkspaceImportsRoute,
  readWorkspaceImportRoute,
  readRowsRoute,
  readErrorsRoute,
  downloadErrorsRoute,
  mapWorkspaceImportRoute,
  validateWorkspaceImportRoute,
  approveImportRoute,
  cancelWorkspaceImportRoute,
  eraseImportRoute,
];
