import { isNobodyThere } from '../../http/client/unix-socket.js';
import { StackError } from '../error.js';

/** The supervisor of a stack has ended since it was found. */
export class EndedError extends StackError {
  constructor(cause: unknown) {
    super('NOT_RUNNING', 'The stack was stopped meanwhile.', { hint: 'Start it: stack start', cause });
  }
}

/** Runs a request to a supervisor. @throws EndedError if it has ended */
export async function unlessEnded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw isNobodyThere(error) ? new EndedError(error) : error;
  }
}
