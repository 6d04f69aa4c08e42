import { describe, expect, it } from 'vitest';
import { messageProgress } from '../../../src/pipeline/progress.js';
import { textOf } from '../../../src/wire/json/json.js';
import { about, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const datatype = { name: 'set', version: '1' };

/** A network with a datatype whose values are not judged at once, and a value of it in the topic `sets`. */
async function aNetworkWithSets() {
  const network = await startPipelines();
  const [alice, bob] = [network.party('alice'), network.party('bob')];
  await alice.pipeline().acceptDatatype('default', { ...datatype, value: textOf({ uniqueItems: true }) });
  await network.settle();
  const set = (value: unknown) =>
    alice.broadcast({ header: { topics: ['sets'] }, data: [{ value: textOf(value), datatype }] });
  return { network, alice, bob, set };
}

describe('a long judgement', () => {
  it('has the same verdict at all nodes, and leaves nothing', async () => {
    const { network, set } = await aNetworkWithSets();
    const good = await set([1, 2]);
    await network.settle();
    for (const party of network.parties) {
      expect(await decided(party)).toContain(good.header.id);
      expect(await rowsOf(party.database(), 'judgements')).toEqual([]);
      expect(await rowsOf(party.database(), 'waits')).toEqual([]);
    }
  });

  it('crashes a node three times and is held then: the node stays up, and reports what waits', async () => {
    const { network, bob, set } = await aNetworkWithSets();
    bob.dieAt('judge.mid');
    const deadly = await set([1, 2]);
    const behind = await set([3]);
    for (let life = 1; life <= 3; life++) {
      await expect.poll(() => bob.isAlive()).toBe(false);
      await bob.restart();
      if (life < 3) bob.dieAt('judge.mid');
    }
    const other = await network.party('carol').broadcast(about(['orders'], 'other'));
    await expect.poll(() => decided(bob)).toContain(other.header.id);
    expect(await decided(bob)).not.toContain(deadly.header.id);
    expect(await rowsOf(bob.database(), 'judgements')).toMatchObject([{ attempts: 3 }]);
    const rows = await rowsOf(bob.database(), 'messages');
    const row = rows.find(({ id }) => id === deadly.header.id);
    const progress = row === undefined ? undefined : await messageProgress(bob.database(), row);
    expect(progress?.waits).toMatchObject([{ on: 'judgement', context: { topic: 'sets' } }]);
    expect(bob.isAlive()).toBe(true);

    // After a stop and a start by an operator it is tried again.
    await bob.pipeline().stop();
    await bob.restart();
    await expect.poll(() => decided(bob)).toEqual(expect.arrayContaining([deadly.header.id, behind.header.id]));
  });
});
