import { expect, test } from 'vitest';
import { holdCredential } from '../../../../src/cli/party/held-credential.js';
import { headersByNode } from '../../../../src/cli/requests/credentials.js';
import type { Transport, TransportRequest } from '../../../../src/client/transport.js';

test('a credential is sent once its node runs, and nothing is sent to the port before', async () => {
  let runs = false;
  const sent: TransportRequest[] = [];
  const send: Transport = (request) => {
    sent.push(request);
    return Promise.reject(new Error('no answer'));
  };
  const held = holdCredential({ headers: { authorization: 'Bearer abc' } }, () => Promise.resolve(runs));
  const url = 'http://127.0.0.1:16010';
  const headersOf = headersByNode([{ url, held }]);
  const ask = () =>
    held
      .over(send)({ url: `${url}/api/v1/status`, method: 'GET', headers: { accept: 'text/plain' } })
      .catch(() => undefined);
  await ask();
  expect([sent, headersOf(`${url}/ws`)]).toEqual([[], {}]);
  runs = true;
  await ask();
  expect(sent).toMatchObject([{ headers: { accept: 'text/plain', authorization: 'Bearer abc' } }]);
  expect(headersOf('ws://127.0.0.1:16010/ws')).toEqual({ authorization: 'Bearer abc' });
});
