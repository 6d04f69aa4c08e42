import { fileURLToPath } from 'node:url';

/** The user's cache folder for all programs that tests start, so that each program is compiled once for all of them. */
export const cacheFolder = fileURLToPath(new URL('../../build/cache', import.meta.url));
