import { TOPIC_NAMES, TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { markdownTable } from '../markdown-table.ts';

/** The comments around the drawing in infra/docs/topics.md. */
const BEGIN = '<!-- From topics/catalogue.ts, by `npm run interface`. -->';
const END = '<!-- The end of what is drawn. -->';

/**
 * Returns the document with its drawing of the topics replaced by one of the current catalogue.
 *
 * @throws {Error} if the document has no comments around a drawing
 */
export function withDrawing(document: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin === -1 || end < begin) throw new Error('finding the place of the drawing');
  return `${document.slice(0, begin + BEGIN.length)}\n\n${drawTopics()}\n\n${document.slice(end)}`;
}

/** Draws the writers and readers of each topic as a Mermaid flowchart, and the records as a table. */
function drawTopics(): string {
  return `${flowchart()}\n\n${table()}`;
}

function flowchart(): string {
  const parties = [...new Set(TOPIC_NAMES.flatMap((topic) => [...writersOf(topic), ...readersOf(topic)]))];
  return [
    '```mermaid',
    'flowchart LR',
    ...parties.map((party) => `  ${nodeOf(party)}[${party}]`),
    ...TOPIC_NAMES.map((topic) => `  ${nodeOf(`topic ${topic}`)}[(${topic})]`),
    ...TOPIC_NAMES.flatMap((topic) => [
      ...writersOf(topic).map((writer) => `  ${nodeOf(writer)} --> ${nodeOf(`topic ${topic}`)}`),
      ...readersOf(topic).map((reader) => `  ${nodeOf(`topic ${topic}`)} --> ${nodeOf(reader)}`),
    ]),
    '```',
  ].join('\n');
}

function table(): string {
  const rows = TOPIC_NAMES.map((name) => {
    const { key, partitions, carries } = TOPICS[name];
    return [`\`${name}\``, key, String(partitions), carries];
  });
  return markdownTable(['topic', 'key', 'partitions', 'carries'], rows).trimEnd();
}

function writersOf(topic: TopicName): readonly string[] {
  return TOPICS[topic].writers;
}

function readersOf(topic: TopicName): readonly string[] {
  return TOPICS[topic].readers;
}

/** Mermaid's names of nodes are words. */
function nodeOf(name: string): string {
  return name.replaceAll(/[^a-z]/g, '_');
}
