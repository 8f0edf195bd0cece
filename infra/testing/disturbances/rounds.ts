const LONG_ROUNDS = 20;

/** Injections of each disturbance of this folder: one, or many with `DISTURBANCES=long`. */
export const ROUNDS = process.env['DISTURBANCES'] === 'long' ? LONG_ROUNDS : 1;
