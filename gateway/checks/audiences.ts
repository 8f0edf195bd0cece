import { agentOf, memberOf, ownerOf } from '../audiences.ts';

const product = 'svccheck';

/** The customer's backend or a coding agent. */
export const checkAgent = agentOf(product);

export const checkMember = memberOf(product);
export const checkOwner = ownerOf(product);
