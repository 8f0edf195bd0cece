import { agentOf, INGEST, memberOf, ownerOf, PAGE } from '../audiences.ts';
import { audience } from '../http/routing/audience.ts';

const product = 'svcfeedback';
const prefix = '/v1/feedback';

/** The customer's backend or a coding agent. */
export const feedbackAgent = agentOf(product);

export const widgetPage = audience({ ...PAGE, product, principal: 'widget', rate: 'visitor', prefix });

/** Any page that loads a widget's script. */
export const widgetScript = audience({ host: INGEST.host, principal: 'none', rate: 'none', prefix });

export const feedbackMember = memberOf(product);
export const feedbackOwner = ownerOf(product);
