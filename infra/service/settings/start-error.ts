/**
 * A fault that stops the start and that people can put right. Each line of the message names a variable or a file, what was
 * seen, and the cure.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
