import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleSecret } from '../../../gateway/http/example-values.ts';
import { errorCodes } from '../../../gateway/http/openapi-errors.ts';
import { errorEnvelopeSchema } from '../../../schemas/base/errors.ts';
import { productRoutes } from '../../service/gateway.ts';
import { type Document, ExampleClient } from './openapi-examples.fixture.ts';
import { ServiceInProcess } from './service-in-process.fixture.ts';

const BILLING_SECRET = 'the billing secret of the examples';
const POLL_INTERVAL_MS = 50;

const routes = productRoutes();

/**
 * Every operation, in an order in which its example can be accepted. After a colon is the error that the example gets instead,
 * because of what happened before or is configured.
 */
const JOURNEY = [
  ...[
    'readProtectedResource',
    'readMcpResource',
    'readCapabilities',
    'readLimiterHealth',
    'setUp',
    'signUp: state_conflict',
    'readSignInOptions',
    'signIn',
    'readSession',
  ],
  ...['listSessions', 'switchSession', 'listMembers', 'startOidc: not_found', 'finishOidc: unauthorized'],
  ...[
    'createWorkspace',
    'readAgentWorkspace',
    'callMcp',
    'openClaimLink',
    'inspectClaim',
    'readClaimDetails',
    'attachClaim',
    'listWorkspaces',
    'listWorkspaceOverviews',
    'readWorkspaceOverview',
    'searchOrganization',
  ],
  ...['readWorkspace', 'readImportProduct', 'createImportSchema', 'listImportSchemas', 'reserveImport'],
  ...['uploadImportSource', 'mapImport', 'validateImport', 'readImport until ready', 'readImportBinding'],
  ...[
    'listWorkspaceSchemas',
    'readWorkspaceSchema',
    'listSchemaRevisions',
    'listWorkspaceImports',
    'listImports',
    'readWorkspaceImport',
    'readImportProvenance',
    'readImportSource',
    'readImportRows',
    'searchImportRows',
    'readImportErrors',
  ],
  ...['downloadImportErrors', 'approveImport', 'createCapability', 'listCapabilities', 'listDeliveries'],
  ...['readDelivery', 'readBatch', 'acknowledgeBatch', 'mapWorkspaceImport'],
  ...['validateWorkspaceImport: state_conflict', 'cancelImport: state_conflict'],
  ...['cancelWorkspaceImport', 'eraseImport', 'mintImportSession', 'readImportSession'],
  ...['reserveSessionImport', 'uploadImportSource', 'readSessionSource', 'mapSessionImport'],
  ...['validateSessionImport', 'readSessionImport until ready', 'readSessionRows', 'readSessionErrors'],
  ...['approveSessionImport: forbidden', 'cancelSessionImport', 'reviseImportSchema', 'revokeCapability'],
  ...['readCheckProduct', 'createCheckOrigin', 'confirmCheckOrigin: state_conflict', 'createAccessProfile'],
  ...['createCheckSuite', 'createCheckRun: state_conflict', 'readCheckRun: not_found'],
  ...['createWorkspaceCheckOrigin', 'confirmWorkspaceCheckOrigin: state_conflict'],
  ...['createWorkspaceCheckRun: state_conflict'],
  ...['listWorkspaceCheckOrigins', 'listWorkspaceAccessProfiles'],
  ...['listCheckSuites', 'listWorkspaceCheckSuites', 'listWorkspaceCheckRuns'],
  ...['readWorkspaceCheckRun: not_found', 'readCheckScreenshot: not_found'],
  ...[
    'createWidget',
    'loadWidget',
    'submitFeedback',
    'verifySubmission',
    'listWidgets',
    'listInstallationWidgets',
    'listSubmissions',
  ],
  ...['moveSubmission', 'removeSubmission'],
  ...['readActivateProduct', 'createChecklist', 'listChecklists', 'recordEvent', 'issueProgressSession'],
  ...['readProgress', 'readChecklistSummary', 'reviseChecklist', 'listWorkspaceChecklists'],
  ...['readWorkspaceChecklist', 'readWorkspaceChecklistSummary', 'exportChecklist', 'claimWorkspace'],
  ...['pauseWorkspace', 'resumeWorkspace', 'eraseSubject', 'createCredential', 'rotateCredential'],
  ...['revokeCredential', 'createKey', 'listKeys', 'check', 'listKeyOverviews'],
  ...['readKeyUsage', 'revokeKey', 'subscribe'],
  ...[
    'readSubscription',
    'cancelSubscription',
    'receiveBillingEvent',
    'createInvitation',
    'revokeInvitation',
  ],
  ...['createInvitation', 'acceptInvitation', 'setMemberRole', 'offerReset', 'resetPassword', 'removeMember'],
  ...[
    'readSwitches',
    'setSwitches',
    'listDeadLetters',
    'readDeadLetter: not_found',
    'replayDeadLetter: not_found',
    'discardDeadLetter: not_found',
    'offerOperatorReset',
    'listAuditEntries',
    'disconnectWorkspace',
    'eraseWorkspace',
    'endSession',
  ],
  ...[
    'leaveOrganization: state_conflict',
    'erasePerson: state_conflict',
    'changeEmail',
    'changePassword',
    'signOut',
  ],
];

let service: ServiceInProcess;
let client: ExampleClient;
beforeAll(async () => {
  service = await ServiceInProcess.start({ environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET } });
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  client = new ExampleClient(service.url, document, BILLING_SECRET);
  client.replace(exampleSecret('setup'), new URL(service.setUpLink).hash.slice(1));
});
afterAll(() => service?.dispose());

describe('the examples of the OpenAPI document', () => {
  it.each(JOURNEY)('%s', async (step) => {
    const [, name, until, code] = /^(\w+)(?: until (\w+))?(?:: (\w+))?$/.exec(step) ?? [];
    const route = routes.find((candidate) => candidate.name === name);
    if (route === undefined) throw new Error(`finding the route of the step ${step}`);
    let answer = await client.send(route);
    while (until !== undefined && (answer.body as { status: string }).status !== until) {
      await pause(POLL_INTERVAL_MS);
      answer = await client.send(route);
    }
    if (code === undefined) {
      expect(answer.status, answer.text).toBe(route.success.status);
      if (route.success.schema !== undefined) route.success.schema.parse(answer.body);
    } else {
      expect(errorEnvelopeSchema.parse(answer.body).error.code, answer.text).toBe(code);
      expect(errorCodes(route)).toContain(code);
    }
  });

  it('are sent for every operation', () => {
    const sent = new Set(JOURNEY.map((step) => step.replace(/[ :].*$/, '')));
    expect(routes.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  });
});
