import { describe, expect, it } from 'vitest';
import { stateOf, settled } from '../../support/datatypes.js';
import { uuid } from '../../support/fixtures.js';
import { forgeItem, pin, registerMallory } from '../../support/mallory.js';
import { about, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();

/** An interface definition by mallory, with parts that no node would send. */
function forgeInterface(number: number, parts: Readonly<Record<string, unknown>>) {
  const header = {
    type: 'definition',
    namespace: 'svc_system',
    topics: ['svc_ns_default'],
    tag: 'svc_define_ffi',
  } as const;
  const record = {
    id: uuid(number + 4_000),
    namespace: 'default',
    name: `of-${number}`,
    description: '',
    version: '1',
  };
  const value = { ...record, methods: [], events: [], errors: [], ...parts };
  return forgeItem({ number, header: { ...header, topics: [...header.topics] }, value });
}

describe('a hostile member', () => {
  it('defines an interface of 14,000 equal events: it is rejected everywhere, and others are decided', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const event = { name: 'e', description: '', params: [] };
    await pin(network, forgeInterface(1, { events: new Array(14_000).fill(event) }));
    await pin(network, forgeInterface(2, { events: [event, event] }));
    const after = await network.party('bob').broadcast(about(['orders'], 'after'));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10403' });
      expect(await stateOf(party, uuid(2))).toMatchObject({ state: 'confirmed' });
      expect(await decided(party)).toContain(after.header.id);
      expect((await rowsOf(party.database(), 'interfaces')).map(({ name }) => name)).toEqual(['of-2']);
    }
  });
});
