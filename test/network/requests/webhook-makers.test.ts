import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthentication, type Credential } from '../../../src/http/access/auth.js';
import { eventually } from '../../support/eventually.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';
import { startWebhookTarget, type WebhookTarget } from '../../support/webhook-target.js';

let network: TestNetwork;
let target: WebhookTarget;
/** The credentials that bob's node requires from its next start on; undefined for none, as at alice's node. */
let credentials: readonly Credential[] | undefined;
let bob: TestNode;
let alice: TestNode;

beforeEach(async () => {
  credentials = undefined;
  network = await startTestNetwork(['bob', 'alice'], {
    authenticationOf: () => credentials && createAuthentication(credentials),
  });
  const [first, second] = network.nodes;
  if (first === undefined || second === undefined) throw new Error('There are two nodes');
  [bob, alice] = [first, second];
  await restartWith([credential('owner'), credential('limited', []), credential('signer', [`key:${bob.spareKey}`])]);
  target = await startWebhookTarget();
});
afterEach(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
  await target.goDown();
});

/** A credential whose token is its name; with grants it is limited to its namespace. */
function credential(name: string, grants?: readonly string[]): Credential {
  const secret = { kind: 'token', sha256: createHash('sha256').update(name).digest() } as const;
  return { name, secret, ...(grants !== undefined && { namespaces: ['default'], grants }) };
}

async function restartWith(next: typeof credentials): Promise<void> {
  credentials = next;
  await network.restart();
}

async function call({ url }: TestNode, name: string, method: string, path: string, sent?: object): Promise<string> {
  const headers = { authorization: `Bearer ${name}`, 'content-type': 'application/json' };
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
  const response = await fetch(`${url}${path}`, { method, headers, ...body });
  const text = await response.text();
  expect([response.status < 300, text]).toEqual([true, text]);
  return text;
}

const api = '/api/v1/namespaces/default';

/** Creates or replaces the webhook that answers every request. */
function subscribe(name: string, method: 'POST' | 'PUT' = 'PUT'): Promise<string> {
  const options = { url: target.url, reply: true, replytag: 'answer' };
  const body = { name: 'responder', transport: 'webhooks', filter: { message: { tag: '^ask$' } }, options };
  return call(bob, name, method, `${api}/subscriptions`, body);
}

/** Registers a custom identity with a further key of the wallet, as the organisation. */
function registerDesk(): Promise<string> {
  return call(bob, 'owner', 'POST', `${api}/identities?confirm=true`, { name: 'desk', key: bob.spareKey });
}

/** Sends a request of alice to the custom identity, or to bob's organisation. */
async function ask(identity = 'did:firefly:desk'): Promise<void> {
  const header = { tag: 'ask', topics: ['orders'] };
  const group = { members: [{ identity }] };
  const body = { header, group, data: [{ value: 1 }] };
  await call(alice, 'owner', 'POST', `${api}/messages/private?confirm=true`, body);
}

async function authorsOfAnswers(): Promise<readonly string[]> {
  const text = await call(alice, 'owner', 'GET', `${api}/messages?tag=answer&sort=sequence`);
  return (JSON.parse(text) as { readonly header: { readonly author: string } }[]).map(({ header }) => header.author);
}

async function refusedReplies(): Promise<number> {
  const text = await call(bob, 'owner', 'GET', '/metrics');
  return Number(/^parley_webhook_replies_refused_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

const desk = 'did:parley:desk';
const organization = 'did:parley:org/bob';

describe('a webhook created by a credential without a right to the key of an identity', () => {
  it('does not answer as that identity, even if it was created before the identity', async () => {
    await subscribe('limited', 'POST');
    await registerDesk();
    await ask();
    await eventually(async () => expect(await refusedReplies()).toBe(1));
    await ask('bob');
    await eventually(async () => expect(await authorsOfAnswers()).toEqual([organization]));
    expect(target.calls).toHaveLength(2);
    expect(await refusedReplies()).toBe(1);
  });

  it('answers when a credential with the right replaces it, and stops when the other does', async () => {
    await registerDesk();
    for (const name of ['signer', 'owner']) {
      await subscribe('limited');
      const before = (await authorsOfAnswers()).length;
      const refused = await refusedReplies();
      await ask();
      await eventually(async () => expect(await refusedReplies()).toBe(refused + 1));
      expect(await subscribe(name)).not.toMatch(/maker|owner|signer|limited/);
      await ask();
      await eventually(async () => expect((await authorsOfAnswers()).slice(before)).toEqual([desk]));
    }
  });
});

describe('the identities as which a webhook may answer', () => {
  it('are those that its creator may sign for now, whatever they were at its creation', async () => {
    await registerDesk();
    await subscribe('signer', 'POST');
    await ask();
    await eventually(async () => expect(await authorsOfAnswers()).toEqual([desk]));
    await restartWith([credential('owner'), credential('signer', [])]);
    await ask();
    await eventually(async () => expect(await refusedReplies()).toBe(1));
    await restartWith([credential('owner')]);
    await ask('bob');
    await eventually(async () => expect(await refusedReplies()).toBe(2));
    expect(await authorsOfAnswers()).toEqual([desk]);
  });

  it('are the organisation only if created without authentication, and any without authentication now', async () => {
    await registerDesk();
    await restartWith(undefined);
    await subscribe('', 'POST');
    await ask();
    await eventually(async () => expect(await authorsOfAnswers()).toEqual([desk]));
    await restartWith([credential('owner')]);
    await ask();
    await eventually(async () => expect(await refusedReplies()).toBe(1));
    await ask('bob');
    await eventually(async () => expect(await authorsOfAnswers()).toEqual([desk, organization]));
  });
});
