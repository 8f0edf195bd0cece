import { type AuditDetail, auditLogId, type EntryDocument } from '../../../schemas/audit/documents.ts';
import type { Command } from '../../../schemas/base/command.ts';
import { isId } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { AnyResult, CommandEffect, FoldContext } from './fold.ts';

/**
 * Returns the command that writes an action of a person or the operator into the audit log of the organization
 * (infra/docs/reference/people.md); none for any other command. An action across several aggregates is recorded once,
 * by the fold that decides and answers it.
 *
 * The effect is stored in the same commit as the change: neither exists without the other.
 */
export function auditEffects(
  topic: CommandTopicName,
  command: Command,
  context: FoldContext,
  result: AnyResult,
): CommandEffect[] {
  const { kind, id } = command.actor;
  if ((kind !== 'user' && kind !== 'operator') || result.audit === false) return [];
  return organizationsOf(command, result).map((organizationId) => {
    const entry = {
      at: context.now,
      actor: { kind, id },
      action: `${topic}.${command.type}`,
      target: targetOf(context, result),
      requestId: command.requestId,
      detail: { ...namedIds(command, [context.aggregate, organizationId]), ...result.audit },
    } satisfies EntryDocument;
    return {
      kind: 'command',
      topic: 'audit',
      key: auditLogId(organizationId, context.now),
      type: 'record',
      input: entry,
    };
  });
}

/** Returns the organizations in whose logs the action is recorded. */
function organizationsOf(
  { actor, keyFrom, replyTo }: Command,
  { outcome, recordedIn }: AnyResult,
): readonly string[] {
  if (recordedIn !== undefined) return outcome.kind === 'refused' ? [] : recordedIn;
  const decides = keyFrom !== 'command' || replyTo !== null;
  return outcome.kind === 'done' && decides && actor.organizationId !== undefined
    ? [actor.organizationId]
    : [];
}

/**
 * Returns the aggregate and the entity in it. A person's aggregate is left out, because it derives from the e-mail
 * address.
 */
function targetOf({ aggregate }: FoldContext, { remember }: AnyResult): string | null {
  if (!isId(aggregate)) return null;
  return remember == null || remember === false ? aggregate : `${aggregate}/${remember.entity}`;
}

/** Returns the ids that a command names, by their fields, without those that the entry has anyway. */
function namedIds({ input }: Command, known: readonly string[]): AuditDetail {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries(input as JsonObject)) {
    if (name.endsWith('Id') && typeof value === 'string' && isId(value) && !known.includes(value)) {
      ids[name] = value;
    }
  }
  return ids;
}
