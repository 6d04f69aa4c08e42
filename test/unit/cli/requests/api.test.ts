import { afterEach, describe, expect, it } from 'vitest';
import { runApi } from '../../../../src/cli/requests/api.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

let node: PlainNode | undefined;
afterEach(() => node?.stop());

/** Sends a request with this header. */
async function send(header: string) {
  node = await startPlainNode(() => ({ body: {} }));
  const { output } = memoryOutput();
  const flags = { method: 'GET', path: 'status', header: [header], timeout: '10s', include: false, curl: false };
  const context = { output, environment: {}, program: 'stack' };
  const error: unknown = await runApi({ ...flags, url: node.url }, context).catch((thrown: unknown) => thrown);
  return { error, requests: node.came.length };
}

describe('a header', () => {
  it.each(['x: a', 'x:', 'x:\ta\tb', 'x: é'])('that can be sent is sent: %j', async (header) => {
    expect(await send(header)).toEqual({ error: undefined, requests: 1 });
  });

  it.each(['x: a\nb', 'x: a\r\ny: b', 'x: a\n', 'x: \u0000', 'x: \u007f', 'x: €', 'x', ': a'])(
    'that cannot be sent is a usage error, and no request is made: %j',
    async (header) => {
      expect(await send(header)).toMatchObject({ error: { code: 'USAGE', exitCode: 2 }, requests: 0 });
    },
  );
});
