import type { ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { CHECK_EXAMPLES, checkSchemas } from './documented-schemas.ts';

/** The texts about browser checks in the OpenAPI document. */
export const checkDocumentation: ProductDocumentation = {
  tag: {
    name: 'Browser check',
    description:
      'A run opens pages of an origin in a real browser and looks for what a suite expects. The origin has to be proved first; a run reaches the public internet only.',
  },
  parameters: {
    installationId: { description: 'The installation of the workspace.', example: EXAMPLES.installationId },
    workspaceId: { description: 'The workspace, one of the organization.', example: EXAMPLES.workspaceId },
    originId: { description: 'The origin.', example: CHECK_EXAMPLES.originId },
    runId: { description: 'The run.', example: CHECK_EXAMPLES.runId },
    suiteId: { description: 'Only runs of this suite.', example: CHECK_EXAMPLES.suiteId },
    cursor: { description: 'The `nextCursor` of the page before.', example: CHECK_EXAMPLES.runId },
    limit: { description: 'The number of entries of a page.', example: 50 },
  },
  schemas: checkSchemas,
  operations: {
    readCheckProduct: {
      description: 'Returns the installation, its state and what is left of its limits.',
    },
    createCheckOrigin: {
      description:
        'Names an origin and returns its challenge: a text to publish at an address of the origin. An origin that the workspace already has stays the same one; it gets a new challenge once the last one has ended.',
    },
    confirmCheckOrigin: {
      description:
        'Fetches the challenge from the origin and proves the origin with it. The file has to stay published, because every run looks for it again. A proof has to be renewed by `renewBy`, with the same request and a new `idempotencyKey`.',
      answer: CHECK_EXAMPLES.verifiedOrigin,
    },
    createAccessProfile: {
      description:
        'Creates an access profile: the device, the language, the time zone and the hosts of runs.',
    },
    createCheckSuite: {
      description:
        'Creates a suite of flows. A flow opens pages of the origin and looks at them; it never types, clicks or submits.',
    },
    createCheckRun: {
      description:
        'Sends a suite to the runner. Read the run until its status is `passed`, `failed`, `errored` or `timed_out`.',
      answer: CHECK_EXAMPLES.queuedRun,
    },
    readCheckRun: {
      description: 'Returns a run. Only `verified: true` establishes a passing result.',
    },
    createWorkspaceCheckOrigin: {
      description: 'Names an origin as an agent does. The audit log notes it.',
    },
    confirmWorkspaceCheckOrigin: {
      description: 'Proves an origin as an agent does. The audit log notes it.',
      answer: CHECK_EXAMPLES.verifiedOrigin,
    },
    createWorkspaceCheckRun: {
      description: 'Runs a suite as an agent does. The audit log notes it.',
      answer: CHECK_EXAMPLES.queuedRun,
    },
    listWorkspaceCheckOrigins: { description: 'Returns the origins of the workspace, newest first.' },
    listWorkspaceAccessProfiles: {
      description: 'Returns the access profiles of the workspace, newest first.',
    },
    listCheckSuites: { description: 'Returns the suites of the installation, newest first.' },
    listWorkspaceCheckSuites: { description: 'Returns the suites of the workspace, newest first.' },
    listWorkspaceCheckRuns: { description: 'Returns the runs of the workspace, newest first.' },
    readWorkspaceCheckRun: { description: 'Returns a run of the workspace.' },
    readCheckScreenshot: {
      description: 'Returns the last page of the run as a picture. The audit log notes each look.',
      file: { example: 'PNG' },
    },
  },
};
