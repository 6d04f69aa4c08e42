import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { sealBatch } from '../../../../../src/domain/messages/batch.js';
import { type Examined, withExamined } from '../../../../../src/pipeline/receive/messages/examined.js';
import type { Unit } from '../../../../../src/ports/database.js';
import { type Judge, JudgeError } from '../../../../../src/ports/judge.js';
import { aContent } from '../../../../support/fixtures.js';

const namespace = 'default';
const { hash, payload: text } = sealBatch(aContent());

/** Creates a database with one payload, and a judge that answers nothing synchronously. */
async function aScene(changes: Partial<Judge> = {}) {
  const database = createMemoryDatabase();
  await database.transaction((unit) => unit.insert('payloads', [{ namespace, hash, text }]));
  const judge = { ...createDirectJudge({ isNow: () => false }), ...changes };
  const parts = { database, judge, signal: new AbortController().signal, turn: {} };
  let runs = 0;
  const run = async (unit: Unit, examined: Examined) => {
    runs += 1;
    await unit.insert('due', [{ namespace, context: `run ${runs}` }]);
    return examined.of(hash).status;
  };
  const due = () => database.rows('due', {}, { limit: 10 });
  return { parts, run, due, runs: () => runs };
}

describe('a unit that judges payloads', () => {
  it('runs once with the payloads that were named', async () => {
    const { parts, run, runs } = await aScene();
    expect(await withExamined(parts, [hash, 'unknown'], run)).toBe('read');
    expect(runs()).toBe(1);
  });

  it('runs again for a payload that was not named, and rolls back the first run', async () => {
    const { parts, run, due } = await aScene();
    expect(await withExamined(parts, [], run)).toBe('read');
    expect(await due()).toMatchObject([{ context: 'run 2' }]);
  });

  it('reads the payload itself after the thread has died', async () => {
    const died = async () => {
      throw new JudgeError('died', 'gone');
    };
    const { parts, run } = await aScene({ ask: died });
    expect(await withExamined(parts, [hash], run)).toBe('read');
  });

  it('does not begin after the judge was closed', async () => {
    const { parts, run, runs } = await aScene();
    await parts.judge.close();
    await expect(withExamined(parts, [hash], run)).rejects.toMatchObject({ reason: 'stopped' });
    expect(runs()).toBe(0);
  });
});
