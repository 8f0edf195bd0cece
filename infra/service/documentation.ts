import { agentDocumentation } from '../../gateway/agents/documentation.ts';
import { auditDocumentation } from '../../gateway/audit/documentation.ts';
import { billingDocumentation } from '../../gateway/billing/documentation.ts';
import type { ProductDocumentation } from '../../gateway/http/documentation.ts';
import { keyDocumentation } from '../../gateway/keys/documentation.ts';
import { limiterDocumentation } from '../../gateway/limiter/documentation.ts';
import { operationsDocumentation } from '../../gateway/operations/documentation.ts';
import { peopleDocumentation } from '../../gateway/people/documentation.ts';
import { workspaceDocumentation } from '../../gateway/workspaces/documentation.ts';
import { PRODUCT_CODE } from './products.ts';

/** The texts of every product in the OpenAPI document, in the order of its tags. */
export const PRODUCT_DOCUMENTATION: readonly ProductDocumentation[] = [
  agentDocumentation,
  workspaceDocumentation,
  ...PRODUCT_CODE.map(({ gateway }) => gateway.documentation),
  limiterDocumentation,
  keyDocumentation,
  billingDocumentation,
  peopleDocumentation,
  auditDocumentation,
  operationsDocumentation,
];
