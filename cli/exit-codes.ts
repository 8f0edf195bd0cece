/** The exit codes of every command, each with its meaning. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'The command did its work.' },
  failed: { code: 1, meaning: 'The command failed for a reason without a code below.' },
  usage: { code: 2, meaning: 'The command line or an input is wrong. The service did nothing.' },
  confirmation: { code: 3, meaning: 'The command needs a confirmation: of the caller, or of a person.' },
  authentication: { code: 4, meaning: 'There is no credential, or the service does not accept it.' },
  missing: { code: 5, meaning: 'The resource does not exist, or no longer exists.' },
  limit: { code: 6, meaning: 'A limit or a rate limit is reached.' },
  network: { code: 7, meaning: 'The service could not be reached, or could not answer.' },
  check: { code: 8, meaning: 'The command did its work, and what it checked did not pass.' },
  interrupted: { code: 130, meaning: 'The command was interrupted. The same command continues from there.' },
  terminated: { code: 143, meaning: 'SIGTERM ended the command. The same command continues from there.' },
} as const;

/** The name of an exit code. */
export type Exit = keyof typeof EXIT_CODES;
