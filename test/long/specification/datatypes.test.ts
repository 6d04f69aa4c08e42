import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreeParties, type Json } from '../../e2e/fixtures/three-parties.js';

/** Datatypes, as applications find them on a running stack. */

interface Message extends Json {
  readonly header: { readonly id: string };
  readonly state: string;
  readonly confirmed?: string;
}
interface Event extends Json {
  readonly reference: string;
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) as string;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const stack = createThreeParties();
beforeAll(stack.start);
afterAll(stack.remove);

const toBob = { members: [{ identity: 'bob' }] };
const post = (path: string, body: object, party = 'alice') =>
  stack.post<Message>(path, JSON.stringify(body), { party });
const broadcast = (body: object, party?: string) => post('broadcast/message', body, party);
const confirmedAt = async (id: string, party: string) => (await stack.confirmed(id, party)) as Message;
const everywhere = (id: string) => Promise.all(stack.parties.map((party) => confirmedAt(id, party)));
const refusal = async (path: string, body: object, status: number) =>
  (await stack.post<{ readonly error: string }>(path, JSON.stringify(body), { status })).error.slice(0, 7);
const define = (name: string, version: string, value: object, party?: string) =>
  post('broadcast/datatype', { name, version, value }, party);
const datatypes = (query: string, party = 'alice') => stack.get<readonly Json[]>(`datatypes?${query}`, party);

describe('A datatype', () => {
  const schema = {
    $id: 'https://example.com/widget.json',
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Widget',
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
  };
  const widget = { name: 'widget', version: '0.0.2' };

  test('is defined by a message of the system namespace, whose id is not its own', async () => {
    const sent = await define('widget', '0.0.2', schema);
    expect(sent).toMatchObject({
      header: {
        id: uuid,
        type: 'definition',
        namespace: 'svc_system',
        tag: 'svc_define_datatype',
        txtype: 'batch_pin',
        topic: [expect.stringContaining('default')],
      },
      state: 'ready',
      data: [{ id: uuid, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
    });
    await everywhere(sent.header.id);
    const found = await Promise.all(stack.parties.map((party) => datatypes('name=widget&version=0.0.2', party)));
    for (const [index, each] of found.entries()) {
      const { confirmed } = await confirmedAt(sent.header.id, stack.parties[index] ?? '');
      expect(each).toEqual([
        {
          id: uuid,
          message: sent.header.id,
          validator: 'json',
          namespace: 'default',
          ...widget,
          hash: sha256(JSON.stringify(schema)),
          created: confirmed,
          value: schema,
        },
      ]);
      expect(each[0]?.['id']).toBe(found[0]?.[0]?.['id']);
    }
    expect(found[0]?.[0]?.['id']).not.toBe(sent.header.id);
  });

  test('is found by name and by version', async () => {
    await everywhere((await define('widget', '0.0.3', schema)).header.id);
    await everywhere((await define('gadget', '0.0.3', schema)).header.id);
    expect(await datatypes('name=widget')).toHaveLength(2);
    expect(await datatypes('version=0.0.3')).toHaveLength(2);
    expect(await datatypes('name=gadget&version=0.0.2')).toEqual([]);
  });

  test('validates values against its schema when they are sent and when they are stored', async () => {
    const datatype = { name: 'held', version: '1' };
    await everywhere((await define('held', '1', schema)).header.id);
    const good = { value: { id: 'a' }, datatype };
    const bad = { value: { id: 1 }, datatype };
    for (const path of ['broadcast/message', 'send/message', 'data']) {
      const body = (item: object) =>
        path === 'data' ? item : { data: [item], ...(path === 'send/message' && { group: toBob }) };
      expect(await refusal(path, body(bad), 400)).toBe('FF10198');
      await stack.post(path, JSON.stringify(body(good)), { status: path === 'data' ? 200 : 202 });
    }
    const form = new FormData();
    form.append('datatype', JSON.stringify(datatype));
    form.append('value', '{"id":1}');
    form.append('file', new Blob(['x']), 'x');
    expect((await fetch(stack.addressOf('data'), { method: 'POST', body: form })).status).toBe(400);
  });

  test('cannot be used before it is confirmed', async () => {
    await stack.stop('chain');
    const { header } = await define('later', '1.0', { type: 'string' });
    const item = { value: 'x', datatype: { name: 'later', version: '1.0' } };
    expect(await refusal('broadcast/message', { data: [item] }, 400)).toBe('FF10195');
    await stack.startAgain('chain');
    await everywhere(header.id);
    const sent = await broadcast({ data: [item] });
    await everywhere(sent.header.id);
  });

  test('that is ordered first is kept, of two with one name and version, at all parties', async () => {
    await stack.stop('chain');
    const both = [
      await define('contested', '1.0', { type: 'string' }, 'alice'),
      await define('contested', '1.0', { type: 'number' }, 'bob'),
    ];
    await stack.startAgain('chain');
    const ends = async (party: string) => {
      const messages = both.map(({ header }) => stack.get<Message>(`messages/${header.id}`, party));
      return (await Promise.all(messages)).map(({ state }) => state);
    };
    for (const party of stack.parties) {
      await expect.poll(async () => (await ends(party)).sort()).toEqual(['confirmed', 'rejected']);
      expect(await ends(party)).toEqual(await ends('alice'));
      const [winner, ...others] = await datatypes('name=contested', party);
      expect(others).toEqual([]);
      expect(winner?.['message']).toBe(both[(await ends('alice')).indexOf('confirmed')]?.header.id);
    }
    const late = await define('contested', '1.0', { type: 'boolean' });
    await expect.poll(async () => (await stack.get(`messages/${late.header.id}`))['state']).toBe('rejected');
    expect(await datatypes('name=contested')).toHaveLength(1);
  });

  test('whose definition loses is reported to its author, in the namespace', async () => {
    const [loser] = await stack.get<readonly Event[]>('events?type=message_rejected');
    expect(loser).toMatchObject({ namespace: 'default', reference: uuid });
    const message = await stack.get<Message>(`messages/${loser?.reference ?? ''}`);
    expect(message).toMatchObject({ state: 'rejected', rejected: time });
    expect(message).not.toHaveProperty('confirmed');
  });
});
