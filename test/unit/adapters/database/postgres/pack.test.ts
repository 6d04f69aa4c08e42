import { expect, it } from 'vitest';
import {
  type CommitMark,
  createPostgresPack,
  writerMember,
} from '../../../../../src/adapters/database/postgres/pack.js';
import { ForeignDatabase } from '../../../../../src/wire/errors/disk.js';
import { valueOf } from '../../../../../src/wire/json/json.js';
import type { JsonText } from '../../../../../src/wire/scalar.js';

/** Sends a commit after number 4, and loses its answer; then the schema has this mark. */
function isCommitted(markAfter: (own: unknown) => Omit<CommitMark, 'used'>): Promise<boolean> {
  const pack = createPostgresPack({
    mark: { number: 4, writer: 'earlier', used: new Map() },
    readMark: () => Promise.resolve({ ...markAfter(own()), used: new Map() }),
  });
  pack.begin();
  const [statement] = pack.statements([], new Map([['due', 3]]));
  const own = (): unknown => {
    const used = valueOf(String(statement?.bindings.at(-1)) as JsonText);
    return used instanceof Object ? Reflect.get(used, writerMember) : undefined;
  };
  return pack.isCommitted();
}

it('a commit whose answer was lost took place if the last commit is the next one of the same process', async () => {
  expect(await isCommitted((own) => ({ number: 5, writer: String(own) }))).toBe(true);
  expect(await isCommitted(() => ({ number: 4, writer: 'earlier' }))).toBe(false);
});

it.each([
  ['one commit, in place of the lost one', 5, 'other'],
  ['one commit, by an earlier version', 5, undefined],
  ['a commit after the lost one', 6, 'other'],
] as const)('a process that lost its connection ends if another one has made %s', async (_, number, writer) => {
  await expect(isCommitted(() => ({ number, writer }))).rejects.toBeInstanceOf(ForeignDatabase);
});
