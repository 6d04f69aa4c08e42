import { randomUUID } from 'node:crypto';
import type { TableName } from '../../../ports/tables/tables.js';
import { ForeignDatabase } from '../../../wire/errors/disk.js';
import { textOf } from '../../../wire/json/json.js';
import { writeStatement } from '../dialect/postgres.js';
import type { Pack } from '../units/pack.js';
import type { Binding, Statement } from '../statements/statement.js';
import type { Write } from '../units/write.js';
import { writtenByOther } from './refusal.js';

/** The row of the node in its schema, which records its last commit. */
export interface CommitMark {
  /** The number of the last commit. */
  readonly number: number;
  /** The process that made it; undefined if an earlier version did. */
  readonly writer: string | undefined;
  /** The highest sequence ever used, by table. */
  readonly used: ReadonlyMap<TableName, number>;
}

/** The member of the column `used` that names the process; the others are tables. */
export const writerMember = 'writer';

/** The writes of a commit, together with the number of the last commit. */
export interface PostgresPack extends Pack {
  /** Compares the number of the last commit with the one in the schema. @throws ForeignDatabase */
  check(actual: number): void;
}

export interface PackParts {
  readonly mark: CommitMark;
  /** Waits for a connection and reads the mark of the last commit. */
  readonly readMark: () => Promise<CommitMark>;
}

/**
 * Makes one statement of the writes of a commit, in which each write has a table of its own, because all of them see
 * the rows as they were before. Further writes of a table follow in statements of their own. The last statement counts
 * the commit and names this process: after a lost connection both tell whether the commit took place, since another
 * process may have had the schema meanwhile. The statement fails if one has written since.
 */
export function createPostgresPack({ mark, readMark }: PackParts): PostgresPack {
  const writer = randomUUID();
  let { number } = mark;
  let hasBegun = false;
  let isSealed = false;

  function seal(used: ReadonlyMap<TableName, number>): Statement {
    return {
      method: 'update',
      // Null is refused; it means that the commit does not follow the last one of this process.
      sql: `update "node" set "number" = case when "number" = ? then "number" + 1 end, "used" = ?`,
      bindings: [number, textOf({ ...Object.fromEntries(used), [writerMember]: writer })],
    };
  }

  return {
    statements(writes, used) {
      isSealed = hasBegun || writes.length > 0;
      if (!isSealed) return [];
      if (writes.length === 0) return [seal(used)];
      const rounds = roundsOf(writes);
      return rounds.map((round, index) => {
        const parts = round.map(writeStatement);
        return joined(index === rounds.length - 1 ? [...parts, seal(used)] : parts);
      });
    },
    begin() {
      hasBegun = true;
    },
    end() {
      if (isSealed) number += 1;
      hasBegun = false;
      isSealed = false;
    },
    undo() {
      hasBegun = false;
    },
    async isCommitted() {
      const actual = await readMark();
      if (actual.number === number + 1 && actual.writer === writer) return true;
      if (actual.number === number) return false;
      throw new ForeignDatabase(writtenByOther);
    },
    check(actual) {
      if (actual !== number) throw new ForeignDatabase(writtenByOther);
    },
  };
}

/** The writes in rounds, in order; there are as many rounds as the table with the most writes needs. */
function roundsOf(writes: readonly Write[]): Write[][] {
  const rounds: Write[][] = [];
  const counts = new Map<TableName, number>();
  for (const write of writes) {
    const round = counts.get(write.table) ?? 0;
    counts.set(write.table, round + 1);
    (rounds[round] ??= []).push(write);
  }
  return rounds;
}

/** One statement that does several; the last of them returns the answer. */
function joined(statements: readonly Statement[]): Statement {
  const parts = statements.slice(0, -1).map(({ sql }, index) => `"w${index}" as (${sql})`);
  const last = statements.at(-1)?.sql ?? '';
  const bindings: Binding[] = statements.flatMap((each) => each.bindings);
  return { method: 'insert', sql: parts.length === 0 ? last : `with ${parts.join(', ')} ${last}`, bindings };
}
