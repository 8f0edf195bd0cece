import type { z } from 'zod';
import type { Command } from '../../schemas/base/command.ts';
import type { organizationsCommands } from '../../schemas/organizations/commands.ts';
import type { OrganizationDocument, OrganizationRows } from '../../schemas/organizations/documents.ts';
import type { FoldResult, View } from '../runtime/fold.ts';

export type OrganizationView = View<OrganizationDocument, OrganizationRows>;

export type OrganizationResult = FoldResult<OrganizationDocument, OrganizationRows>;

/** The input of one command type. */
export type OrganizationInput<Type extends keyof typeof organizationsCommands> = z.infer<
  (typeof organizationsCommands)[Type]
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
