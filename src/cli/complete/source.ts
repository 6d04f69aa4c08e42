import type { Surroundings } from '../requests/target.js';
import type { Candidate, Wanted } from './words.js';

/** Returns the known values for a flag or argument. */
export type Source = (wanted: Wanted, surroundings: Surroundings, signal: AbortSignal) => Promise<readonly Candidate[]>;
