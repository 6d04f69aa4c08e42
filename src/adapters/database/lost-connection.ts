/** The connection to the database broke, or there is none: what was not committed is undone. */
export class LostConnection extends Error {
  constructor(reason: string) {
    super(`The database does not answer: ${reason}`);
    this.name = 'LostConnection';
  }
}
