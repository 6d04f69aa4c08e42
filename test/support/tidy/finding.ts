import type ts from '@typescript/typescript6';
import { lineOf, type Source } from './sources.js';

/** Formats a finding: the place, the problem, and what to do instead. */
export function finding(source: Source, at: ts.Node | number, problem: string, instead: string): string {
  const line = typeof at === 'number' ? at : lineOf(source.tree, at);
  return `${source.path}:${line} ${problem}. ${instead}`;
}
