import type { Parameters } from '../../../src/client/page.js';

/** The parameters of a list, with the key of its question. */
export interface Asked {
  readonly key: string;
  readonly parameters: Parameters;
}

/** The parameters to read a list with. A scrolled list keeps its time range until it is back at its top. */
export function nextAsked(before: Asked, wanted: Asked, isScrolled: boolean): Asked {
  return isScrolled && before.key === wanted.key ? before : wanted;
}
