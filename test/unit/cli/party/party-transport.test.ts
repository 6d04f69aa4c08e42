import { expect, test } from 'vitest';
import { createPartyTransport } from '../../../../src/cli/party/party-transport.js';
import type { Transport } from '../../../../src/client/transport.js';
import { aLayout, aPlace } from '../../stack/fixtures/place.js';
import { aSilentSupervisor } from '../../stack/fixtures/processes.js';
import { memoryOutput } from '../memory-output.js';

test('a request to a node that does not answer, like its supervisor, is given up after the time limit', async () => {
  const layout = aLayout(aPlace());
  await (
    await aSilentSupervisor(layout)
  )();
  const { output, err } = memoryOutput();
  const never: Transport = ({ signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const place = { stack: 'dev', party: 'alice', layout, maxPauseMs: 1, isNoted: true };
  const send = createPartyTransport(place, { output, program: 'stack' }, never);
  const request = { url: 'http://127.0.0.1:16010/api/v1/status', method: 'GET', headers: {} };
  await expect(send(request)).rejects.toMatchObject({ name: 'NodeDownError', exit: 'TIMEOUT' });
  expect(err()).toContain('neither does its supervisor');
});
