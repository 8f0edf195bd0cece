import type { Command, InputOf } from '../../schemas/base/command.ts';
import type { organizationsCommands } from '../../schemas/organizations/commands.ts';
import type { OrganizationDocument, OrganizationRows } from '../../schemas/organizations/documents.ts';
import type { PlainFoldResult, View } from '../runtime/unconverted.ts';

export type OrganizationView = View<OrganizationDocument, OrganizationRows>;

export type OrganizationResult = PlainFoldResult<OrganizationDocument, OrganizationRows>;

/** The input of one command type. */
export type OrganizationInput<Type extends keyof typeof organizationsCommands> = InputOf<
  typeof organizationsCommands,
  Type
>;

/** A command of which a fold looks at who acts. */
export type UserCommand = Pick<Command, 'actor'>;

/**
 * A notice that was taken in, and that nobody waits for. It is remembered, so that it changes nothing when it comes again,
 * late, after others that came after it.
 */
export const NOTED = {
  outcome: { kind: 'done', result: {} },
} as const satisfies OrganizationResult;
