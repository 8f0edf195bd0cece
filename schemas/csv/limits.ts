/** Columns of a header row. */
export const COLUMNS_MAX = 100;

/** Decoded UTF-8 bytes of one field: without its enclosing quotes, doubled quotes counted once. */
export const FIELD_BYTES_MAX = 16 * 1024;

/** Bytes of one record as it stands in the file, without its line end. */
export const RECORD_BYTES_MAX = 64 * 1024;
