import { importProductSchema } from '../../schemas/imports/http.ts';
import { importProduct } from '../../schemas/imports/product.ts';
import { tagged } from '../http/routing/route.ts';
import { productRoute } from '../workspaces/product-route.ts';
import { acknowledgeBatchRoute, readBatchRoute } from './delivery/batches.ts';
import { listDeliveriesRoute, readDeliveryRoute } from './delivery/deliveries.ts';
import {
  createCapabilityRoute,
  listCapabilitiesRoute,
  revokeCapabilityRoute,
} from './operations/capabilities.ts';
import {
  approveImport,
  cancelImport,
  eraseImport,
  mapImport,
  validateImport,
} from './operations/change-import.ts';
import { listImportsRoute, listWorkspaceImportsRoute } from './operations/list-imports.ts';
import { readBinding, readImport, readProvenance, readSource } from './operations/read-import.ts';
import { downloadErrors, readErrors, readRows, searchRows } from './operations/read-rows.ts';
import { listSchemaRevisionsRoute, readWorkspaceSchemaRoute } from './operations/read-schema.ts';
import {
  reserveImportRoute,
  reserveSessionImportRoute,
  reserveWorkspaceImportRoute,
} from './operations/reserve-import.ts';
import {
  createSchemaRoute,
  listSchemasRoute,
  listWorkspaceSchemasRoute,
  reviseSchemaRoute,
} from './operations/schemas.ts';
import { mintSessionRoute, readSessionRoute } from './operations/sessions.ts';
import { uploadSourceRoute } from './upload/upload-source.ts';

/** CSV import, by audience: agents, the upload, pages, the customer's backend, people of the organization. */
export const importRoutes = tagged(
  {
    name: 'CSV import',
    description:
      'An import is one file, bound to one revision of a schema. It is validated as a whole, approved by a person, and pulled by the backend of the customer in batches.',
  },
  [
    productRoute(importProduct, {
      name: 'readImportProduct',
      summary: "Read the import product's state and limits",
      description: 'Returns the installation, its state and what is left of its limits.',
      schema: importProductSchema,
    }),
    createSchemaRoute,
    reviseSchemaRoute,
    listSchemasRoute,
    reserveImportRoute,
    mapImport.agent,
    validateImport.agent,
    cancelImport.agent,
    listImportsRoute,
    readImport.agent,
    readBinding,
    readErrors.agent,
    uploadSourceRoute,
    mintSessionRoute,
    readSessionRoute,
    reserveSessionImportRoute,
    readImport.page,
    readSource.page,
    readRows.page,
    readErrors.page,
    mapImport.page,
    validateImport.page,
    approveImport.page,
    cancelImport.page,
    listDeliveriesRoute,
    readDeliveryRoute,
    readBatchRoute,
    acknowledgeBatchRoute,
    listWorkspaceSchemasRoute,
    readWorkspaceSchemaRoute,
    listSchemaRevisionsRoute,
    listCapabilitiesRoute,
    createCapabilityRoute,
    revokeCapabilityRoute,
    listWorkspaceImportsRoute,
    reserveWorkspaceImportRoute,
    readImport.owner,
    readProvenance,
    readSource.owner,
    readRows.owner,
    searchRows,
    readErrors.owner,
    downloadErrors,
    mapImport.owner,
    validateImport.owner,
    approveImport.owner,
    cancelImport.owner,
    eraseImport,
  ],
);
