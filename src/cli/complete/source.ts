import type { Surroundings } from '../target.js';
import type { Candidate, Wanted } from './words.js';

/** Answers the values that are known of what is wanted. */
export type Source = (wanted: Wanted, surroundings: Surroundings, signal: AbortSignal) => Promise<readonly Candidate[]>;
