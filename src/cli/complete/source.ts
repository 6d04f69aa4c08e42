import type { CommandContext } from '../requests/target.js';
import type { Candidate, Wanted } from './words.js';

/** Returns the known values for a flag or argument. */
export type Source = (wanted: Wanted, context: CommandContext, signal: AbortSignal) => Promise<readonly Candidate[]>;
