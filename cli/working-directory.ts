/** Returns the working directory, or null if it was deleted or cannot be read. */
export function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
