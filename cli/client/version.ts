/** The version of the library. A version never changes its bytes once it is released. */
export const CLIENT_VERSION = '0.1.0';
