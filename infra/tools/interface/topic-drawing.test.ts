import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPIC_NAMES, TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { withMetricTables } from './metric-tables.ts';
import { withDrawing } from './topic-drawing.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('the drawing of the topics', () => {
  it('shows what the catalogue says: after a change, `npm run interface` draws it again', () => {
    const document = readFileSync(join(ROOT, 'infra/docs/topics.md'), 'utf8');
    expect(document).toBe(withDrawing(document));
    for (const name of TOPIC_NAMES) expect(document).toContain(`[(${name})]`);
  });

  it('needs a place', () => {
    expect(() => withDrawing('# Topics')).toThrow('finding the place');
  });
});

describe('the tables of metrics and objectives', () => {
  it('show what is declared: after a change, `npm run interface` writes it again', () => {
    const document = readFileSync(join(ROOT, 'infra/docs/metrics.md'), 'utf8');
    expect(document).toBe(withMetricTables(document));
  });

  it('need a place', () => {
    expect(() => withMetricTables('# Metrics')).toThrow('finding the place');
  });
});

describe('the catalogue', () => {
  const products = globSync('processors/*/', { cwd: ROOT }).map((path) => path.replace(/\/$/, ''));

  it.each(products)('names %s as a writer of every topic that it sends to', (product) => {
    const files = globSync(`${product}/**/*.ts`, {
      cwd: ROOT,
      exclude: (name) => /\.(test|fixture)\.ts$/.test(name),
    });
    const sent = files.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      return [...source.matchAll(/kind: 'command',\s+topic: '([a-z-]+)'/g)].map(
        ([, topic]) => topic as TopicName,
      );
    });
    for (const topic of new Set(sent)) {
      expect(TOPICS[topic].writers, `${product} sends to ${topic}`).toContain(product);
    }
  });
});
