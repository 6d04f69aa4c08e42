import type ts from 'typescript';
import { lineOf, type Source } from './sources.js';

/** What is wrong at a place, and what to do instead; one line for the reader of a failed test. */
export function finding(source: Source, at: ts.Node | number, problem: string, instead: string): string {
  const line = typeof at === 'number' ? at : lineOf(source.tree, at);
  return `${source.path}:${line} ${problem}. ${instead}`;
}
