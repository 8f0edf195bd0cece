/**
 * The room that an engine has left.
 * - `ample`: anything.
 * - `scarce`: the reserve is being used. Nothing new is taken, so that what is there can be read, finished and erased.
 */
export type Room = 'ample' | 'scarce';
