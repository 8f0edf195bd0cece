import { type AuditDetail, auditLogId, type EntryDocument } from '../../schemas/audit/documents.ts';
import type { Command } from '../../schemas/base/command.ts';
import { isId } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import type { AnyResult, CommandEffect, FoldContext } from './fold.ts';

/**
 * The command that writes a person's action into the audit log of the organization acted for (contract "People"); empty
 * for everything else. An action across several aggregates is recorded once, by the fold that decides and answers it.
 *
 * As an effect it is stored with what it tells of: there is no change without its entry, and no entry without a change.
 */
export function auditEffects(
  topic: CommandTopicName,
  command: Command,
  context: FoldContext,
  result: AnyResult,
): CommandEffect[] {
  const { kind, id } = command.actor;
  if (kind !== 'user' || result.audit === false) return [];
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

/** The organizations in whose logs the action is recorded. */
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

/** The aggregate and the entity in it. A person's aggregate is derived from the e-mail address: it stays untold. */
function targetOf({ aggregate }: FoldContext, { remember }: AnyResult): string | null {
  if (!isId(aggregate)) return null;
  return remember == null || remember === false ? aggregate : `${aggregate}/${remember.entity}`;
}

/** The ids that a command names, by the fields that hold them, without those that the entry has anyway. */
function namedIds({ input }: Command, known: readonly string[]): AuditDetail {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries(input as JsonObject)) {
    if (name.endsWith('Id') && typeof value === 'string' && isId(value) && !known.includes(value)) {
      ids[name] = value;
    }
  }
  return ids;
}
