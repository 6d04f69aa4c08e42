import { createClient } from '../../../../src/client/client.js';
import type { Inspection } from '../../../../src/cli/explain/inspection.js';
import type { PartyNode } from '../../../../src/cli/requests/target.js';
import type { Batch } from '../../../../src/wire/messages/batch-record.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import type { Progress, ProgressStep, Wait } from '../../../../src/wire/messages/progress.js';
import type { Status } from '../../../../src/wire/network/status.js';
import { uuid } from '../../../support/fixtures.js';

const at = '2026-01-31T12:00:00.000Z';

export function aParty(name: string): PartyNode {
  const url = `http://${name}.invalid`;
  const client = createClient({ url, namespace: 'default' });
  return { name, url, client, organization: name, node: `${name}-node`, credential: undefined };
}

/** A message of alice in the topic `orders`. */
export function aMessage(number: number, more: Partial<Message> & { readonly group?: string } = {}): Message {
  const { group, ...members } = more;
  return {
    header: {
      id: uuid(number),
      type: 'broadcast',
      txtype: 'batch_pin',
      author: 'did:parley:org/alice',
      key: `0x${'a'.repeat(40)}`,
      created: at,
      namespace: 'default',
      topics: ['orders'],
      topic: ['orders'],
      datahash: 'd'.repeat(64),
      ...(group !== undefined && { group }),
    },
    hash: 'c'.repeat(64),
    data: [],
    localNamespace: 'default',
    state: 'ready',
    batch: uuid(number + 100),
    ...members,
  };
}

/** The progress of a message with these steps done, and its waits. */
export function aProgress(done: readonly ProgressStep[], waits: readonly Partial<Wait>[] = []): Progress {
  const steps = (['accepted', 'sealed', 'stored', 'pinned', 'batch', 'data', 'next', 'decided'] as const).map(
    (step) => ({
      step,
      ...(done.includes(step) && { time: at }),
    }),
  );
  const missing = steps.find(({ step }) => !done.includes(step))?.step;
  return {
    id: uuid(1),
    hash: 'c'.repeat(64),
    state: 'ready',
    steps,
    ...(missing !== undefined && { missing }),
    waits: waits.map((wait) => ({ on: 'context', since: at, detail: 'It waits.', ...wait })),
  };
}

/** A batch of alice. */
export function aBatch(more: Partial<Batch> = {}): Batch {
  const key = `0x${'a'.repeat(40)}`;
  return {
    id: uuid(101),
    type: 'broadcast',
    namespace: 'default',
    created: at,
    author: 'did:parley:org/alice',
    key,
    hash: 'e'.repeat(64),
    manifest: null,
    tx: { type: 'batch_pin', id: uuid(7) },
    confirmed: at,
    ...more,
  };
}

/** The parts of a status that are used. */
export function aStatus(
  waiting: Status['parley']['waiting'] = [],
  chain: Status['parley']['chain'] = { head: 9, processed: 9 },
): Status {
  const plugins = {
    blockchain: [],
    database: [],
    dataExchange: [],
    events: [],
    identity: [],
    sharedStorage: [],
    tokens: [],
  };
  const location = { address: `0x${'a'.repeat(40)}` };
  const active = { index: 0, location, firstEvent: '0', info: { subscription: '1', version: 1 } };
  return {
    namespace: { name: 'default', networkName: 'default', description: '' },
    plugins,
    node: { name: 'n', registered: true },
    org: { name: 'o', registered: true },
    multiparty: { enabled: true, contract: { active } },
    parley: {
      pending: 0,
      blocked: 0,
      lastSequence: 1,
      chain,
      keys: [],
      damaged: 0,
      rules: null,
      peers: [],
      waiting,
      registration: { matches: true, corrections: 0 },
    },
  };
}

/** An inspection of alice and bob, whose nodes are healthy and empty. */
export function anInspection(more: Partial<Inspection> = {}): Inspection {
  const parties = [aParty('alice'), aParty('bob')];
  return {
    parties,
    faults: [],
    mining: { auto: true, intervalMs: 0 },
    trouble: () => undefined,
    partyOf: (did) => parties.find(({ organization }) => did.endsWith(`/${organization ?? ''}`)),
    message: () => Promise.resolve('absent'),
    progress: () => Promise.resolve('absent'),
    batch: () => Promise.resolve('absent'),
    batchProgress: () => Promise.resolve('absent'),
    status: () => Promise.resolve(aStatus()),
    missingBatches: () => Promise.resolve([]),
    undecided: () => Promise.resolve([]),
    messagesOf: () => Promise.resolve([]),
    balance: () => Promise.resolve(undefined),
    ...more,
  };
}
