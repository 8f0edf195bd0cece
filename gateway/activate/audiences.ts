import { agentOf, memberOf, ownerOf, PAGE } from '../audiences.ts';
import { audience } from '../http/routing/audience.ts';

const product = 'svcactivate';

/** The customer's backend or a coding agent. */
export const checklistAgent = agentOf(product);

/** A page that shows the progress of one subject. */
export const progressPage = audience({ ...PAGE, product, principal: 'progress', prefix: '/v1/activate' });

export const checklistMember = memberOf(product);
export const checklistOwner = ownerOf(product);
