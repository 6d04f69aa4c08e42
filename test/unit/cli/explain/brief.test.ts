import { afterEach, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { CliError } from '../../../../src/cli/errors/exit.js';
import { explainMissing } from '../../../../src/cli/explain/brief.js';
import { withDelay } from '../../../../src/cli/explain/overdue.js';
import { createOpenSocket } from '../../../../src/cli/requests/open-socket.js';
import type { PartyNode, Target } from '../../../../src/cli/requests/target.js';
import { uuid } from '../../../support/fixtures.js';
import { memoryOutput } from '../memory-output.js';
import { type Came, type PlainNode, type Reply, startPlainNode } from '../plain-node.js';
import { aMessage, aParty, aStatus, aProgress } from './an-inspection.js';

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

const waiting = [{ service: 'store', since: '2026-01-31T12:00:00.000Z', error: 'no answer' }];

/** Starts the node of bob, who has a message of carol on another machine and all its data. */
async function aBob(over: (came: Came) => Reply | undefined = () => undefined): Promise<PartyNode> {
  const message = aMessage(1);
  const record = { ...message, header: { ...message.header, author: 'did:parley:org/carol' } };
  const served: Readonly<Record<string, unknown>> = {
    [`messages/${uuid(1)}`]: record,
    [`messages/${uuid(1)}/progress`]: aProgress(['accepted', 'sealed', 'stored', 'pinned', 'batch', 'data']),
    messages: [],
    status: aStatus(waiting),
  };
  node = await startPlainNode((came) => over(came) ?? (came.path in served ? { body: served[came.path] } : undefined));
  return { ...aParty('bob'), url: node.url, client: createClient({ url: node.url, namespace: 'default' }) };
}

const context = { output: memoryOutput().output, environment: {}, program: 'stack' };

function targetOf(parties: readonly [PartyNode, ...PartyNode[]]): Target {
  const headersOf = () => ({});
  const rest = { headersOf, agentOf: () => undefined, openSocket: createOpenSocket(headersOf) };
  return { stack: undefined, namespace: 'default', parties, party: parties[0], ...rest };
}

async function explained(missing: readonly [PartyNode, ...PartyNode[]]) {
  return explainMissing(uuid(1), missing, targetOf(missing), context);
}

it('names the cause at one party and what another node waits for, and reads from a node once', async () => {
  const url = 'http://127.0.0.1:1';
  const alice = { ...aParty('alice'), url, client: createClient({ url, namespace: 'default' }) };
  const { text, causes } = await explained([alice, await aBob()]);
  expect(text).toMatch(/alice does not answer/);
  expect(text).toMatch(/ · bob waits for store: no answer$/);
  expect(causes).toEqual([{ party: 'alice', cause: expect.objectContaining({ code: 'party_away' }) }]);
  expect(node?.came.filter(({ path }) => path === 'status')).toHaveLength(1);
});

it('reports what nodes wait for if the credential does not permit to follow the message', async () => {
  const bob = await aBob(({ path }) => (path.startsWith('messages/') ? { status: 403, body: {} } : undefined));
  expect(await explained([bob])).toEqual({ text: 'bob waits for store: no answer', causes: [] });
});

it('adds to the hint of a call that is not recorded in time what the node waits for', async () => {
  const target = targetOf([await aBob()]);
  const late = new CliError('TIMEOUT', 'Too late.', { hint: 'It may still succeed.', details: { id: uuid(2) } });
  expect(await withDelay(late, target, context)).toMatchObject({
    code: 'TIMEOUT',
    message: 'Too late.',
    hint: 'bob waits for store: no answer · It may still succeed.',
    details: { id: uuid(2) },
  });
  const refused = new CliError('REJECTED', 'No.', { hint: 'Try again.' });
  expect(await withDelay(refused, target, context)).toBe(refused);
});
