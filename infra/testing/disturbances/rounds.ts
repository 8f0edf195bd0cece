const LONG_ROUNDS = 20;

/** How often each disturbance of this folder is injected: once, or many times with `DISTURBANCES=long`. */
export const ROUNDS = process.env['DISTURBANCES'] === 'long' ? LONG_ROUNDS : 1;
