import type { z } from 'zod';
import { checklistOutput } from './activate/configure.ts';
import { checklistsOutput } from './activate/list.ts';
import { pageOutput } from './activate/page.ts';
import { summaryOutput } from './activate/summary.ts';
import { testOutput } from './activate/test-event.ts';
import { suitesOutput } from './check/list.ts';
import { originOutput } from './check/origin.ts';
import { runOutput } from './check/run.ts';
import { suiteOutput } from './check/suite.ts';
import { createdWidgetOutput } from './feedback/create.ts';
import { widgetsOutput } from './feedback/list.ts';
import { submissionOutput } from './feedback/verify.ts';
import { bindingOutput } from './imports/binding.ts';
import { configureOutput } from './imports/configure.ts';
import { errorsOutput } from './imports/errors.ts';
import { importsOutput } from './imports/list.ts';
import { importOutput } from './imports/status.ts';
import { uploadOutput } from './imports/upload.ts';
import { completionOutput } from './tools/completion.ts';
import { doctorOutput } from './tools/doctor.ts';
import { skillOutput } from './tools/skill.ts';
import { claimOutput } from './workspace/claim.ts';
import { createOutput } from './workspace/create.ts';
import { discoverOutput } from './workspace/discover.ts';
import { statusOutput } from './workspace/status.ts';

/** The JSON document that each command prints with `--json`. The reference is written from it; the tool does not load it. */
export const OUTPUTS: Readonly<Record<string, z.ZodType | null>> = {
  'workspace discover': discoverOutput,
  'workspace create': createOutput,
  'workspace status': statusOutput,
  'workspace claim': claimOutput,
  'workspace credential': statusOutput,
  'workspace trust': statusOutput,
  'feedback create': createdWidgetOutput,
  'feedback list': widgetsOutput,
  'feedback verify': submissionOutput,
  'check origin': originOutput,
  'check confirm': originOutput,
  'check create': suiteOutput,
  'check list': suitesOutput,
  'check run': runOutput,
  'check status': runOutput,
  'activate create': checklistOutput,
  'activate list': checklistsOutput,
  'activate test': testOutput,
  'activate page': pageOutput,
  'activate status': summaryOutput,
  'activate revise': checklistOutput,
  'import configure': configureOutput,
  'import upload': uploadOutput,
  'import map': importOutput,
  'import validate': importOutput,
  'import status': importOutput,
  'import errors': errorsOutput,
  'import list': importsOutput,
  'import binding': bindingOutput,
  'import cancel': importOutput,
  doctor: doctorOutput,
  // Its standard output is the one of the command.
  run: null,
  // Its standard output is a protocol.
  mcp: null,
  completion: completionOutput,
  skill: skillOutput,
};
