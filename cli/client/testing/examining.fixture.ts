// Runs in each runtime as a separate process: examines a file of a German spreadsheet with the built module, whose address is the
// argument. It prints what it saw as one line of JSON.
import process from 'node:process';
import type * as Client from '../svc-client-examine.ts';

const { examine }: typeof Client = await import(process.argv[2] ?? '');
const bytes = Uint8Array.from('Ort;Betrag\r\nM\u00fcnchen;1,50\r\n', (character) => character.charCodeAt(0));
const examined = await examine(bytes);
const seen = {
  findings: examined?.findings.map(({ kind }) => kind),
  names: examined?.table?.names,
  rows: [...(examined?.table?.rows() ?? [])],
};
process.stdout.write(`${JSON.stringify(seen)}\n`);
