import { beforeAll, describe, expect, it } from 'vitest';
import type { TestNode } from '../../support/node.js';
import { oneNode } from '../../support/one-node.js';
import { expectRefusal, openStream, sendTagged } from '../../support/stream-client.js';

const theNode = oneNode();
let node: TestNode;
beforeAll(() => {
  node = theNode();
});

describe('an invalid frame', () => {
  it.each([
    ['no JSON', 'not json', 'FF10176'],
    ['no object', '["ack"]', 'FF10176'],
    ['null', 'null', 'FF10176'],
    ['empty', '', 'FF10176'],
    ['an object with a key twice', '{"type":"ack","type":"ack"}', 'FF10176'],
    ['nested beyond the limit', `{"type":${'['.repeat(100)}${']'.repeat(100)}}`, 'FF10176'],
    ['of no type', '{}', 'FF10177'],
    ['of an unknown type', '{"type":"nack"}', 'FF10177'],
    ['of a type that objects have', '{"type":"constructor"}', 'FF10177'],
    ['of a type that is no text', '{"type":["ack"]}', 'FF10177'],
  ])('%s closes the socket with its code', async (_, text, code) => {
    const stream = await openStream(node, '/ws?ephemeral');
    stream.send(text);
    await expectRefusal(stream, code);
  });

  it('in binary is FF10176, also when it is JSON', async () => {
    const stream = await openStream(node, '/ws?ephemeral');
    stream.socket.send(Buffer.from('{"type":"ack"}'));
    await expectRefusal(stream, 'FF10176');
  });

  it('of 64 KiB is read, and a longer one closes the socket with 1009', async () => {
    const maxBytes = 64 * 1024;
    const frame = (size: number) => `{"type":"nack","x":"${'x'.repeat(size - 22)}"}`;
    expect(Buffer.byteLength(frame(maxBytes))).toBe(maxBytes);
    const [fits, tooLong] = [await openStream(node, '/ws'), await openStream(node, '/ws')];
    fits.send(frame(maxBytes));
    tooLong.send(frame(maxBytes + 1));
    await expectRefusal(fits, 'FF10177');
    expect(await tooLong.closed).toBe(1009);
  });

  it('closes only its own socket', async () => {
    const [bad, good] = [await openStream(node, '/ws?ephemeral'), await openStream(node, '/ws?ephemeral')];
    bad.send('{"type":"nack"}');
    await expectRefusal(bad, 'FF10177');
    await sendTagged(node, 'still');
    await good.frame(1);
    await good.close();
  });
});
