import { ServiceError } from '../../src/wire/error.js';

/** The code of the ServiceError that a call throws; undefined when it throws nothing. Any other error goes on. */
export function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** `codeOf` of a call that answers later. */
export async function codeOfAsync(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
