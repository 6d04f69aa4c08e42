import { tableNames } from '../../src/adapters/database/tables/tables.js';
import type { MemoryFiles } from '../../src/adapters/files/memory.js';
import type { Reader } from '../../src/ports/database.js';
import { every } from '../../src/ports/tables/where.js';
import type { Draft } from './draft.js';
import { InvariantViolation } from './shadow.js';

const everything = 100_000;
const canaryPattern = /secret-(\d+)-/g;

export interface Secrets {
  readonly drafts: readonly Draft[];
  /** The parties to which a member has passed on what came with a private message. */
  readonly heirs: ((number: number) => ReadonlySet<string>) | undefined;
}

/** A text that occurs only in one private message. */
export function canaryOf(number: number): string {
  return `secret-${number}-`;
}

/** Returns the numbers of the private messages whose texts occur in this one. */
export function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(canaryPattern)].map(([, number]) => Number(number));
}

/** I8: no row or file of a party outside its group contains anything of a private message. */
export async function checkPrivacy(party: string, disk: Reader, files: MemoryFiles, secrets: Secrets): Promise<void> {
  for (const table of tableNames) {
    const rows = await disk.rows(table, { namespace: every }, { limit: everything });
    checkText(party, `table ${table}`, JSON.stringify(rows), secrets);
  }
  for (const directory of ['blobs', 'incoming']) {
    for (const name of await files.list(directory)) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of files.read(`${directory}/${name}`)) chunks.push(chunk);
      checkText(party, `file ${directory}/${name}`, Buffer.concat(chunks).toString('latin1'), secrets);
    }
  }
}

/** I8 for public places: they contain nothing of any private message. */
export function checkPublic(place: string, text: string): void {
  const [canary] = text.match(canaryPattern) ?? [];
  if (canary !== undefined) throw new InvariantViolation('I8', `${canary} is in ${place}`);
}

function checkText(party: string, place: string, text: string, { drafts, heirs }: Secrets): void {
  for (const number of numbersIn(text)) {
    const { members } = drafts[number] ?? {};
    if (members?.includes(party) === true || heirs?.(number).has(party) === true) continue;
    throw new InvariantViolation('I8', `secret ${number} of ${members?.join() ?? 'nobody'} is at ${party}: ${place}`);
  }
}
