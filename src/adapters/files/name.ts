import assert from 'node:assert/strict';

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const maxNameCharacters = 512;

/**
 * Asserts a name that the port allows: relative, `/` between segments, no segment that begins with a dot. Names are
 * chosen by the program, so a violation is a defect (docs/architecture.md §12.3).
 */
export function assertName(name: string): void {
  const isGood = name.length <= maxNameCharacters && name.split('/').every((part) => segment.test(part));
  assert(isGood, 'a file name is relative and made of letters, digits, ".", "_" and "-"');
}

/** The directory of a name; `''` is the root. */
export function directoryOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
}
