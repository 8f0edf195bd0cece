/**
 * Why a file as a whole cannot be imported (infra/docs/reference/imports.md#files), with the sentence that tools show. The answer
 * itself carries code, line and byte offset only.
 */
export const FILE_FAULTS = {
  invalid_utf8: 'The file is not UTF-8. Save it as UTF-8 and upload it again.',
  nul_byte: 'The file contains a NUL byte. It may be UTF-16 or a spreadsheet; save it as CSV in UTF-8.',
  unclosed_quote: 'A quoted field is never closed.',
  stray_quote: 'A quote stands inside an unquoted field, or text follows a closing quote.',
  lone_cr: 'A carriage return stands alone outside quotes. Lines end with LF or CRLF.',
  no_header: 'The file has no header row.',
  header_too_large: 'The header row is larger than 64 KiB, or one of its names is larger than 16 KiB.',
  empty_header: 'A column of the header row has no name.',
  duplicate_header: 'Two columns of the header row have the same name.',
  too_many_columns: 'The header row has more columns than allowed.',
  no_rows: 'The file has a header row and no data rows.',
  too_many_rows: 'The file has more data rows than the plan allows.',
  artifact_limit: 'Validating this file would exceed the storage limit of an import.',
  internal: 'The service could not process the file. Validate again, or upload it again.',
} as const;

export type FileFaultCode = keyof typeof FILE_FAULTS;
