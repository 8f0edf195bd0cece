import {
  type RejectedRow,
  rejectedRowsCsv,
  rejectedRowsHeader,
} from '../../schemas/imports/rejected-rows.ts';
import { type Api, Refused, type RowError, type Source } from './api.ts';
import { saveFile } from './save-file.ts';

/** Ten times the rows of the largest plan. A list of more pages has not ended: it is refused, and a next try reads on. */
const PAGES_MAX = 1_000;

/** A place in a list of pages; null: its beginning. */
interface Place {
  cursor: string | null;
}

/** Reads pages, the first one at a place. After a failure that is the place of the page that failed. @throws {Refused} */
export async function readPages<Page>(
  api: Api,
  path: string,
  take: (page: Page) => void,
  place: Place = { cursor: null },
): Promise<void> {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const at = place.cursor === null ? '' : `&cursor=${place.cursor}`;
    const answer = await api.get<Page & Readonly<{ nextCursor: string | null }>>(`${path}limit=100${at}`);
    take(answer);
    place.cursor = answer.nextCursor;
    if (place.cursor === null) return;
  }
  throw new Refused(0, '', '');
}

/** Reads the errors of an import that are kept, and the number of all. @throws {Refused} */
export async function readErrors(
  api: Api,
  importId: string,
): Promise<{ readonly errors: readonly RowError[]; readonly total: number }> {
  const errors: RowError[] = [];
  let total = 0;
  const take = (page: { readonly errors: readonly RowError[]; readonly total: number }): void => {
    errors.push(...page.errors);
    total = page.total;
  };
  await readPages(api, `/imports/${importId}/errors?`, take);
  return { errors, total };
}

/** The rejected rows of an import as a file. A try after a failure continues where the last one failed. */
export class RejectedFile {
  readonly #api: Api;
  readonly #importId: string;
  readonly #rows: RejectedRow[] = [];
  readonly #place: Place = { cursor: null };

  constructor(api: Api, importId: string) {
    this.#api = api;
    this.#importId = importId;
  }

  /** Saves the file as a download. `onRows`: called with the number of rows that are there so far. @throws {Refused} */
  async save(onRows: (count: number) => void): Promise<void> {
    const path = `/imports/${this.#importId}`;
    const { headers } = await this.#api.get<Source>(`${path}/source`);
    const take = (page: { readonly rows: readonly RejectedRow[] }): void => {
      this.#rows.push(...page.rows);
      onRows(this.#rows.length);
    };
    await readPages(this.#api, `${path}/rows?filter=invalid&`, take, this.#place);
    const parts = [rejectedRowsHeader(headers), rejectedRowsCsv(this.#rows.splice(0))];
    saveFile(parts, `rejected-rows-${this.#importId}.csv`);
  }
}
