import { describe, expect, it } from 'vitest';
import { currentRules, recordedLimits } from '../../../../src/domain/network/network-rules.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createRulebook, recordRules } from '../../../../src/pipeline/state/rulebook.js';
import { textOf } from '../../../../src/wire/json/json.js';

const tooEarly = { code: 'PY1010', status: 503 };

function setUp() {
  const clock = createManualClock();
  const database = createMemoryDatabase();
  const rulebook = createRulebook(clock);
  const readFirstLog = async () => {
    await database.transaction((unit) => recordRules(unit, '0xc', textOf(recordedLimits)));
    await rulebook.refresh(database);
  };
  return { clock, database, rulebook, readFirstLog };
}

describe("a request that needs the network's rules on a node that has not read the chain's first log", () => {
  it('waits for that log', async () => {
    const { clock, database, rulebook, readFirstLog } = setUp();
    const asked = Promise.all([rulebook.rules(database), rulebook.rules(database)]);
    await clock.advance(59_000);
    await readFirstLog();
    expect(await asked).toEqual([currentRules, currentRules]);
    expect(await rulebook.rules(database)).toEqual(currentRules);
  });

  it('is refused after a minute, and answered after the log is read', async () => {
    const { clock, database, rulebook, readFirstLog } = setUp();
    const asked = expect(rulebook.rules(database)).rejects.toMatchObject(tooEarly);
    await rulebook.refresh(database);
    await clock.advance(60_000);
    await asked;
    await readFirstLog();
    expect(await rulebook.rules(database)).toEqual(currentRules);
  });

  it('is refused at once when the node stops', async () => {
    const { database, rulebook } = setUp();
    const asked = expect(rulebook.rules(database)).rejects.toMatchObject(tooEarly);
    rulebook.stop();
    await asked;
    await expect(rulebook.rules(database)).rejects.toMatchObject(tooEarly);
  });
});
