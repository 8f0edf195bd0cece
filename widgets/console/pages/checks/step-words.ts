import { parseUrl } from '../../../shared/parse-url.ts';
import type { Schemas } from '../../api/interface.ts';
import { visibleText } from '../../parts/table/visible-text.ts';

type Step = Schemas['CheckFlow']['steps'][number];

/** A step of a suite in words: `Opens /sign-up`. */
export function stepWords(step: Step): string {
  switch (step.action) {
    case 'goto':
      return `Opens ${visibleText(pathOf(step.url))}`;
    case 'expect_heading':
      return `Expects the heading ${quoted(step.text)}${step.level === undefined ? '' : ` of level ${step.level}`}`;
    case 'expect_title':
      return `Expects the title ${quoted(step.text)}`;
    case 'expect_text':
      return `Expects the text ${quoted(step.text)}`;
    case 'expect_status':
      return `Expects the status ${step.status}`;
  }
}

/** A step by its kind alone, where its suite is not known. */
export const ACTION_WORDS: Readonly<Record<Step['action'], string>> = {
  goto: 'Opens a page',
  expect_heading: 'Expects a heading',
  expect_title: 'Expects a title',
  expect_text: 'Expects a text',
  expect_status: 'Expects a status',
};

function quoted(text: string): string {
  return `“${visibleText(text)}”`;
}

function pathOf(address: string): string {
  const url = parseUrl(address);
  return url === null ? address : url.pathname + url.search;
}
