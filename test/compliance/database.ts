import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError, type Database } from '../../src/ports/database.js';
import { every } from '../../src/ports/tables/where.js';
import { describeChanges } from './database/changes.js';
import { describeExact } from './database/exact.js';
import { describeQueries } from './database/queries.js';
import { aDue, aMessage, all, pluck } from './database/rows.js';
import { describeStructures } from './database/structures.js';
import { describeTexts } from './database/texts.js';
import { describeSharedCommits, describeUnits } from './database/units.js';
import { describeKeys, describeWrites } from './database/writes.js';

export interface DatabaseUnderTest {
  readonly database: Database;
  /** Opens the rows as a program does that starts after this one has ended. */
  reopen(): Promise<Database>;
  dispose(): Promise<void>;
}

/** The obligations of `ports/database.ts`. */
export function describeDatabase(adapter: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`database: ${adapter}`, () => {
    let subject: DatabaseUnderTest | undefined;
    beforeEach(async () => {
      subject = await open();
    });
    afterEach(() => subject?.dispose());
    const current = (): DatabaseUnderTest => {
      if (!subject) throw new Error('A test runs after its database was opened');
      return subject;
    };
    describeUnits(() => current().database);
    describeSharedCommits(() => current().database);
    describeKeys(() => current().database);
    describeWrites(() => current().database);
    describeChanges(() => current().database);
    describeQueries(() => current().database);
    describeStructures(() => current().database);
    describeExact(() => current().database);
    describeTexts(() => current().database);
    describeLife(current);
  });
}

function describeLife(subject: () => DatabaseUnderTest): void {
  it('committed rows exist after a restart, and sequences continue', async () => {
    await subject().database.transaction(async (unit) => {
      await unit.insert('messages', [aMessage()]);
      await unit.insert('due', [aDue('a'), aDue('b')]);
    });
    await subject().database.transaction((unit) => unit.remove('due', { context: 'b' }));
    await subject().database.close();
    const database = await subject().reopen();
    expect(await database.rows('messages', { namespace: every }, all)).toEqual([{ ...aMessage(), sequence: 1 }]);
    await database.transaction((unit) => unit.insert('due', [aDue('b')]));
    expect(pluck(await database.rows('due', {}, all), 'sequence')).toEqual([1, 3]);
    const again = database.transaction((unit) => unit.insert('messages', [aMessage()]));
    await expect(again).rejects.toBeInstanceOf(ConflictError);
  });

  it('closing waits for units and reads in progress, and later calls are refused', async () => {
    const { database } = subject();
    const units = ['a', 'b'].map((context) => database.transaction((unit) => unit.insert('due', [aDue(context)])));
    const read = database.count('messages', { namespace: every });
    await Promise.all([database.close(), database.close()]);
    await Promise.all([...units, read]);
    await expect(database.transaction(async () => 1)).rejects.toThrow();
    await expect(database.rows('due', {}, all)).rejects.toThrow();
    await expect(database.count('due', {})).rejects.toThrow();
    expect(await (await subject().reopen()).count('due', {})).toBe(2);
  });
}
