import type { CommandGroup, OptionSpec } from '../command.ts';
import { CONFIGURATION_FILE, MAPPING_FILE } from '../file-examples.ts';
import { idFault, importFault, keyFault, numberFault } from '../option-faults.ts';
import { changeFault, encodingFault, headerLinesFault, linesFault, separatorFault } from './change-faults.ts';

const IMPORT = '7d1f0c5e-4a52-4f0b-9a3e-2b7c8d9e0f1a';

const importOption: OptionSpec = {
  name: 'import',
  value: 'id',
  summary: 'id of the import',
  required: true,
  fault: importFault,
};

const waitOptions: readonly OptionSpec[] = [
  { name: 'wait', summary: 'wait until the validation has ended' },
  {
    name: 'timeout',
    value: 'seconds',
    summary: 'time to wait, 600 if absent; the validation continues after it',
    fault: numberFault,
  },
];

export const importCommands: CommandGroup = {
  name: 'import',
  summary: 'Import CSV files: configure a schema, upload, map, validate',
  commands: [
    {
      name: 'import configure',
      summary: 'Create a schema, or its next revision, from a file',
      details:
        'The file is JSON with name, allowedOrigins and schema. A revision above 1 also needs schemaId, unless this directory has configured a schema of that name. The same file again changes nothing. Cells are taken as they are: no blank is removed, booleans are true or false in lower case, decimals have a point, and dates are in the format of their field, YYYY-MM-DD if it has none.',
      options: [
        {
          name: 'config',
          value: 'file',
          summary: 'JSON file with the configuration; - for standard input',
          required: true,
        },
      ],
      file: CONFIGURATION_FILE,
      example: ['--config', 'schema.json'],
      run: async (context, options) => (await import('./configure.ts')).configureSchema(context, options),
    },
    {
      name: 'import upload',
      summary: 'Upload a CSV file, and print only metadata',
      details:
        'The file is CSV in UTF-8: commas between columns, each with its own name in the first row, then at least one row. The tool reads it once, and refuses a file that could not be imported before it costs an import: exit code 8, with line and column. A row with too few or too many columns is such a fault. With --fix it corrects what it can: separators, encodings, lines above the header, names of columns, quotes. It makes changes of the form without a question: separators, quotes, line ends, empty lines, and encodings that are certain. What removes a line, names a column, joins lines or changes a value is only found. You decide about each finding with --with or --without, about single lines with --leave-out and --keep, or in a file with --decisions. Until then nothing is sent, and the exit code is 3; without --fix, it is 8 with the code undecided. It shows each change, and sends nothing before you accept: with y on a terminal, or by --accept with the digest that it prints. A decision for which the file has no finding is refused. Values stay as they are. --save writes the corrected file so that you can check it. The import names the changes, and its approver sees them. An upload that was interrupted continues with the same idempotency key.',
      options: [
        { name: 'schema', value: 'id', summary: 'id of the schema', required: true, fault: idFault('sch') },
        {
          name: 'revision',
          value: 'number',
          summary: 'current revision of the schema',
          required: true,
          fault: numberFault,
        },
        {
          name: 'file',
          value: 'csv',
          summary: 'a regular file in UTF-8; links and files that change are refused',
          required: true,
        },
        {
          name: 'idempotency-key',
          value: 'text',
          summary:
            'the same key, file and changes are the same import; absent: derived from schema, revision, bytes and changes',
          fault: keyFault,
        },
        {
          name: 'allow-invalid',
          summary: 'send rows that no schema accepts as well, for a person to see them in the console',
        },
        { name: 'fix', summary: 'correct the file, once you have accepted the changes' },
        { name: 'accept', value: 'digest', summary: 'with --fix: accept the changes of this digest' },
        {
          name: 'with',
          value: 'changes',
          summary: 'with --fix: make these changes, by their names',
          list: true,
          fault: changeFault,
        },
        {
          name: 'without',
          value: 'changes',
          summary: 'with --fix: do not make these changes',
          list: true,
          fault: changeFault,
        },
        {
          name: 'leave-out',
          value: 'lines',
          summary: 'with --fix: remove these lines, such as 3,7-9',
          list: true,
          fault: linesFault,
        },
        {
          name: 'keep',
          value: 'lines',
          summary: 'with --fix: keep these lines, which may be no records',
          list: true,
          fault: linesFault,
        },
        {
          name: 'decisions',
          value: 'file',
          summary: 'with --fix: JSON file with decisions; - for standard input',
        },
        {
          name: 'encoding',
          value: 'name',
          summary: 'with --fix: encoding of a file that is not UTF-8, if it is not detected',
          fault: encodingFault,
        },
        {
          name: 'separator',
          value: 'sign',
          summary: 'with --fix: sign between fields, if it is not detected; tab for a tab',
          fault: separatorFault,
        },
        {
          name: 'table',
          value: 'number',
          summary: 'with --fix: table of a file of several, from 1',
          fault: numberFault,
        },
        {
          name: 'header-line',
          value: 'number',
          summary: 'with --fix: line of the header',
          fault: numberFault,
        },
        {
          name: 'header-lines',
          value: 'number',
          summary:
            'with --fix and --header-line: lines of the header, 1 if absent; 0 for a first record on that line',
          fault: headerLinesFault,
        },
        { name: 'save', value: 'file', summary: 'with --fix: write the corrected file to a new file' },
      ],
      example: ['--schema', 'sch_abcdefghijklmnopqrstuvwx', '--revision', '1', '--file', 'customers.csv'],
      run: async (context, options) => (await import('./upload.ts')).uploadFile(context, options),
    },
    {
      name: 'import map',
      summary: 'Map the columns of an import to the fields of its schema',
      details:
        'The file is JSON with version, revision and columns. A source is the name of a column exactly as the file has it, with its blanks. A changed mapping needs the next revision.',
      options: [
        importOption,
        {
          name: 'mapping',
          value: 'file',
          summary: 'JSON file with the mapping; - for standard input',
          required: true,
        },
      ],
      file: MAPPING_FILE,
      example: ['--import', IMPORT, '--mapping', 'mapping.json'],
      run: async (context, options) => (await import('./change-import.ts')).mapColumns(context, options),
    },
    {
      name: 'import validate',
      summary: 'Validate an import',
      details:
        'With --wait it exits with 0 if every row is valid, and with 8 if the file needs a correction; import errors then names the lines. A wait that was interrupted continues with import status --wait. A repeat with the same mapping shows the result again, and costs no validation.',
      options: [importOption, ...waitOptions],
      example: ['--import', IMPORT, '--wait'],
      run: async (context, options) => (await import('./change-import.ts')).validateImport(context, options),
    },
    {
      name: 'import status',
      summary: 'Show status and counts of an import',
      options: [importOption, ...waitOptions],
      example: ['--import', IMPORT],
      run: async (context, options) => (await import('./status.ts')).readImport(context, options),
    },
    {
      name: 'import errors',
      summary: 'List the errors of an import by line',
      details:
        'For each error it shows the line of the file, the row, the field and what the field accepts, and no cell. The service keeps the first 1,000 of a file; import status counts all.',
      options: [importOption],
      example: ['--import', IMPORT],
      run: async (context, options) => (await import('./errors.ts')).listErrors(context, options),
    },
    {
      name: 'import list',
      summary: 'List the latest imports with status and counts',
      options: [],
      example: [],
      run: async (context) => (await import('./list.ts')).listImports(context),
    },
    {
      name: 'import binding',
      summary: 'Show the digests of an import that an approval names',
      options: [importOption],
      example: ['--import', IMPORT],
      run: async (context, options) => (await import('./binding.ts')).readBinding(context, options),
    },
    {
      name: 'import cancel',
      summary: 'Cancel an import before its approval',
      details: 'Its rows cannot be restored, and it stays counted. Without --yes the command exits with 3.',
      options: [importOption, { name: 'yes', summary: 'cancel without a further question' }],
      example: ['--import', IMPORT, '--yes'],
      run: async (context, options) => (await import('./change-import.ts')).cancelImport(context, options),
    },
  ],
};
