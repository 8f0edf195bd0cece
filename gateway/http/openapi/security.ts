import type { JsonObject } from '../../../schemas/base/json.ts';
import { type Credential, PRINCIPALS } from '../../principals.ts';
import type { Hosts } from '../../services.ts';
import { sessionCookieName } from '../callers/session-cookie.ts';
import type { Route } from '../routing/route.ts';

/** True if callers of a route present a credential. */
export function needsCredential(route: Route): boolean {
  const { form } = PRINCIPALS[route.principal].credential;
  return form !== 'none' && form !== 'path';
}

/** True if requests of a route always come from pages. */
export function comesFromPages(route: Route): boolean {
  return PRINCIPALS[route.principal].pages === 'always';
}

/** The kinds of credentials, by the names that operations refer to. */
export function describeSecurity(hosts: Hosts): JsonObject {
  const schemes = Object.entries(PRINCIPALS).map(([kind, { credential, description }]) => [
    kind,
    describeCredential(credential, description, hosts),
  ]);
  return Object.fromEntries(schemes.filter(([, scheme]) => scheme !== null));
}

function describeCredential(credential: Credential, description: string, hosts: Hosts): JsonObject | null {
  switch (credential.form) {
    case 'none':
    case 'path':
      return null;
    case 'bearer':
      return { type: 'http', scheme: 'bearer', bearerFormat: credential.format, description };
    case 'session-cookie':
      return { type: 'apiKey', in: 'cookie', name: sessionCookieName(hosts), description };
  }
}
