import { describe, expect, it } from 'vitest';
import { unbuiltParts } from './unbuilt-parts.ts';

const content = { contentType: 'text/javascript', bytes: new Uint8Array(), coded: {} };
const tool = { name: 'svc-cli-v1.0.0.js', version: '1.0.0', content };
const widget = { ...tool, name: 'svcimport-widget-v1.0.0.js', forPages: { rolling: null } };
const console = { page: content, paths: [], assets: new Map() };
const docs = { pages: [], placeholders: { base: '', console: '' }, read: () => null };

describe('unbuiltParts', () => {
  it('is null if everything was built', () => {
    expect(unbuiltParts({ console, docs, downloads: [tool, widget] })).toBeNull();
  });

  it('names everything that is missing', () => {
    expect(unbuiltParts({ console: null, docs: null, downloads: [] })).toBe(
      'Not built, and so not served: the console, the documentation, the widgets, the command-line tool and the client library; run npm ci && npm run build, and start again.',
    );
    expect(unbuiltParts({ console, docs, downloads: [widget] })).toMatch(
      /: the command-line tool and the client library;/,
    );
    expect(unbuiltParts({ console, docs, downloads: [tool] })).toMatch(/: the widgets;/);
  });
});
