/** The name and version by which a server introduces itself to a client. */
export const SERVER_INFO = { name: 'svc', title: 'svc', version: '1.0.0' } as const;

/** The order of the tools, for a model that has not used them yet. */
export const INSTRUCTIONS = `
Import a CSV file into a workspace of svc. No tool accepts or returns the content of a file.
1. discover_limits: the limits, and the ids of schemas.
2. configure_schema: the fields of the rows. It returns schemaId.
3. Upload the file with the command-line tool: import upload --schema <schemaId>. It prints importId.
4. submit_mapping, then queue_validation, then read_counts until status is not validating.
5. ready: a person approves the import in the console, once workspace claim of the tool has led to an owner. needs_correction: a person reads the errors there.
6. read_digests: the digests that the approval binds.
list_imports, list_feedback and list_checks find what the workspace has already.
`.trim();
