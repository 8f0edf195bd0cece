import { describe, expect, it } from 'vitest';
import { Api } from './api.ts';
import { RejectedFile, readErrors, readPages } from './rejected-file.ts';

/** Answers a list of that many pages. The cursor is the number of the page. */
function listOf(pages: number) {
  const asked: string[] = [];
  const send = async (path: string) => {
    asked.push(path);
    const page = Number(/cursor=(\d+)/.exec(path)?.[1] ?? 0);
    const nextCursor = page + 1 < pages ? String(page + 1) : null;
    return Response.json({ headers: [], rows: [], errors: [{ row: page }], total: pages, nextCursor });
  };
  return { asked, api: new Api(send, new AbortController().signal) };
}

const lost = expect.objectContaining({ status: 0, isPassing: true });

describe('readPages', () => {
  it('reads lists of more pages than a file of 10,000 rows has', async () => {
    const { asked, api } = listOf(250);
    const taken: unknown[] = [];
    await readPages(api, '/rows?', (page) => taken.push(page));
    expect([taken.length, asked.length]).toEqual([250, 250]);
    expect((await readErrors(api, 'id')).errors.map(({ row }) => row)).toEqual([...Array(250).keys()]);
  });

  it('refuses a list without an end instead of ending in its middle', async () => {
    const { api } = listOf(Number.POSITIVE_INFINITY);
    await expect(readPages(api, '/rows?', () => {})).rejects.toEqual(lost);
  });
});

describe('RejectedFile', () => {
  it('saves no file of a list without an end', async () => {
    const { api } = listOf(Number.POSITIVE_INFINITY);
    await expect(new RejectedFile(api, 'id').save(() => {})).rejects.toEqual(lost);
  });
});
