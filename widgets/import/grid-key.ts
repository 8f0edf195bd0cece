/** The event by which a grid learns of a key. Its detail is the event of the key. */
export const GRID_KEY = 'svcimport-key';

/** The attribute of a grid that gets such events. */
export const GRID_KEYS = 'data-svcimport-keys';
