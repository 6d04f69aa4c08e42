import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createBodyReader } from '../../../../src/node/requests/body.js';
import { createThrottle } from '../../../../src/pipeline/throttle.js';

const schema = Type.Object({ text: Type.String() });

function requestOf(body: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = String(Buffer.byteLength(body));
  request.push(body);
  request.push(null);
  return request;
}

const bodyOf = (length: number): string => JSON.stringify({ text: 'x'.repeat(length) });

it('a long body waits for the throttle, and a short one does not', async () => {
  const waiting: (() => void)[] = [];
  const read = createBodyReader({
    run: async (part) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return part();
    },
  });
  let isLongRead = false;
  const long = read(requestOf(bodyOf(100_000)), schema).finally(() => (isLongRead = true));
  const short = await read(requestOf(bodyOf(10)), schema);
  expect(short).toEqual({ value: { text: 'x'.repeat(10) }, ignored: [] });
  expect(isLongRead).toBe(false);
  expect(waiting).toHaveLength(1);
  for (const resolve of waiting) resolve();
  expect(await long).toEqual({ value: { text: 'x'.repeat(100_000) }, ignored: [] });
});

it('a long invalid body is refused, and the next one is read', async () => {
  const read = createBodyReader(createThrottle(createManualClock()));
  await expect(read(requestOf(`{"text":"${'x'.repeat(100_000)}`), schema)).rejects.toMatchObject({
    reason: 'not_json',
  });
  expect(await read(requestOf(bodyOf(100_000)), schema)).toMatchObject({ ignored: [] });
});
