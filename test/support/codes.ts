import { ServiceError } from '../../src/wire/errors/error.js';

/**
 * Returns the code of the ServiceError that a call throws; undefined if it throws nothing. Other errors are rethrown.
 */
export function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

export async function codeOfAsync(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
