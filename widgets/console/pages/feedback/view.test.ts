import { describe, expect, it } from 'vitest';
import { stateParam, viewOf, withView } from './view.ts';

const view = (query: string) => viewOf(new URLSearchParams(query));

describe('viewOf', () => {
  it('lists what is to be read without a state, and with one that there is not', () => {
    expect([view('').state, view('state=lost').state]).toEqual(['open', 'open']);
    expect([view('state=held').state, view('state=all').state]).toEqual(['held', null]);
  });

  it('names the widget, the submission and the tags that are open', () => {
    expect(view('widget=wid_1&submission=sub_1&tags=none')).toEqual({
      widgetId: 'wid_1',
      state: 'open',
      submissionId: 'sub_1',
      tagsOf: 'none',
    });
  });
});

describe('withView', () => {
  it('changes some choices and keeps the others', () => {
    const params = new URLSearchParams('widget=wid_1&submission=sub_1');
    expect(withView(params, { state: stateParam(null), submission: null }).toString()).toBe(
      'widget=wid_1&state=all',
    );
    expect(withView(params, { state: stateParam('open') }).toString()).toBe('widget=wid_1&submission=sub_1');
  });
});
