import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDERS = ['schemas', 'topics', 'gateway', 'processors', 'cli', 'widgets', 'infra'];
const NO_PRODUCT = /\.(test|contract|fixture|sim|d)\.ts$|\/(testing|simulation)\//;

/** Strict parses of what is stored: the schema by its name, the whole of it or a part. */
const STRICT =
  /\b\w*(?:Document|Root|Target)Schema\b(?:\s*\.\s*(?!meta\b)\w+(?:\([^()]*\))?)*?\s*\.\s*(?:safeParse|parse)(?:Async)?\b/;

it.each([
  ['letterDocumentSchema.safeParse(document)', true],
  ['personRootSchema\n    .parse(document)', true],
  ['importDocumentSchema.shape.source.parse(source)', true],
  ['runDocumentSchema.pick({ screenshot: true }).parse(document)', true],
  ['invitationTargetSchema.parse(target)', true],
  ['readStored(letterDocumentSchema, document); JSON.parse(text)', false],
  ['emailSchema.parse(text)', false],
])('knows a strict parse of a stored document: %s', (text, isStrict) => {
  expect(STRICT.test(text)).toBe(isStrict);
});

it('stored documents are read by readStored or loadStored, which pass over unknown members', () => {
  const files = execFileSync('git', ['ls-files', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !NO_PRODUCT.test(file));
  expect(files).toContain('processors/runtime/sweeps/eraser.ts');
  expect(files.filter((file) => STRICT.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
