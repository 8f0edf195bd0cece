let load: (address: string) => void = () => undefined;

/** Says how the code of the page at an address is loaded ahead. The application calls it once. */
export function warmWith(loader: (address: string) => void): void {
  load = loader;
}

/** Loads the code of the page at an address ahead, so that opening it does not wait. */
export function warm(address: string): void {
  load(address);
}
