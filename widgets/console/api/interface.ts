// The types of the HTTP interface. `npm run build` generates them from the service's OpenAPI document.
export type { paths } from '../../dist/interface.ts';

import type { components } from '../../dist/interface.ts';

/** The named schemas of the interface: `Schemas['ImportStatus']`. */
export type Schemas = components['schemas'];
