import type { Route } from '../route.ts';
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
import { approveImportRoute } from './console/approve-import.ts';
import { cancelWorkspaceImportRoute } from './console/cancel-import.ts';
import { createCapabilityRoute } from './console/create-capability.ts';
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

/** CSV import (specification 4.6, contract D): the agent's, the upload, the backend's and the owner's side. */
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
  mapWorkspaceImportRoute,
  validateWorkspaceImportRoute,
  approveImportRoute,
  cancelWorkspaceImportRoute,
];
