import { agentOf, INGEST, memberOf, ownerOf, PAGE } from '../audiences.ts';
import { audience } from '../http/routing/audience.ts';

const product = 'svcimport';

/** The customer's backend or a coding agent. */
export const importAgent = agentOf(product);

/** The customer's backend with the capability of one import schema. */
export const importBackend = audience({
  ...INGEST,
  principal: 'capability',
  product,
  whenPaused: 'allowed',
  rate: 'delivery',
  prefix: '/v1/import',
});

/** A page that imports one file. */
export const importPage = audience({ ...PAGE, product, principal: 'session', prefix: '/v1/import/browser' });

/** A page or an agent that sends the bytes of one import. */
export const importUploader = audience({
  ...PAGE,
  product,
  principal: 'upload',
  rate: 'upload',
  prefix: '/v1/import/uploads',
});

export const importMember = memberOf(product);
export const importOwner = ownerOf(product);
