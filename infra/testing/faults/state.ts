import type { JsonObject } from '../../../schemas/base/json.ts';
import type { TableName, TopicName } from '../../../topics/catalogue.ts';
import type { LogRecord, Position } from '../../../topics/ports/log.ts';

/** An aggregate as rows by `kind/id`: as it is stored, or as the topic alone makes it. */
export interface AggregateState {
  readonly table: TableName;
  readonly id: string;
  readonly applied: Position;
  readonly root: JsonObject;
  readonly rows: ReadonlyMap<string, JsonObject>;
}

export function aggregateName(table: TableName, id: string): string {
  return `${table}/${id}`;
}

export function rowName(kind: string, id: string): string {
  return `${kind}/${id}`;
}

/** Returns the commands that topics hold, by {@link commandName}. */
export function commandsIn(records: readonly LogRecord[]): ReadonlySet<string> {
  return new Set(records.map(({ topic, value }) => commandName(topic, keyOf(value))));
}

/** The topic and the key of a command. */
export function commandName(topic: TopicName, key: string): string {
  return `${topic}/${key}`;
}

function keyOf(value: string): string {
  try {
    return String((JSON.parse(value) as { readonly key?: unknown }).key);
  } catch {
    return '';
  }
}
