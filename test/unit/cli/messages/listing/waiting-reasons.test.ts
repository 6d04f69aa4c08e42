import { expect, it } from 'vitest';
import { waitingReasons } from '../../../../../src/cli/messages/listing/waiting-reasons.js';
import { createClient } from '../../../../../src/client/client.js';

it('a party that does not answer is reported as such', async () => {
  const url = 'http://127.0.0.1:1';
  const client = createClient({ url, namespace: 'default' });
  const party = { name: 'bob', url, client, organization: 'bob', node: 'bob-node', credential: undefined };
  expect(await waitingReasons([party])).toBe('bob does not answer.');
  expect(await waitingReasons([])).toBe('');
});
