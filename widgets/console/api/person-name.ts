import { visibleText } from '../parts/table/visible-text.ts';

/** A person as the service names one. A service of the release before knows neither the subject nor the mark. */
export interface NamedPerson {
  readonly userId: string;
  readonly email: string;
  readonly subject?: string | null;
  readonly erased?: boolean;
}

const ID_SHOWN = 12;

/**
 * The name by which people know a person: the e-mail address, without one the subject at the identity provider, without either the
 * start of the id.
 */
export function personName({ userId, email, subject, erased }: NamedPerson): string {
  if (erased === true) return 'An erased person';
  return visibleText(email || subject || `${userId.slice(0, ID_SHOWN)}…`);
}
