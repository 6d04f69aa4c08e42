import { expect, test } from 'vitest';
import { layoutOf } from '../../../../src/stack/layout.js';
import { nodeConfig } from '../../../../src/stack/running/node-config.js';
import { planOf } from '../../../../src/stack/running/plan.js';
import { portsFrom } from '../../../../src/stack/ports/ports.js';
import { parseStackFile } from '../../../../src/stack/definition/stack-file.js';
import { aPlace } from '../fixtures/place.js';

const layoutHere = () => layoutOf('/stacks/dev', aPlace());
const ports = portsFrom(16_000, ['alice']);

function settingsWith(store: string) {
  return parseStackFile(
    `apiVersion: stack/v1\nname: dev\nparties: [alice]\nstore: ${store}\n`,
    '/stacks/dev/stack.yaml',
  );
}

test('A plan with an external store has no service for it, and no service waits for one', () => {
  const genesis = { chainId: 1, genesisTime: '2026-01-01T00:00:00Z', accounts: [] };
  const settings = settingsWith('{provider: ipfs, api: "http://127.0.0.1:5001"}');
  const { services } = planOf(layoutHere(), settings, ports, { genesis, fund: [], smoke: true });
  expect(services.map(({ name }) => name)).toEqual(['chain', 'contracts', 'alice', 'smoke']);
  expect(services.flatMap(({ after }) => after.map(({ name }) => name))).not.toContain('store');
});

test.each([
  ['{provider: ipfs, api: "http://127.0.0.1:5001"}', 'http://127.0.0.1:8080'],
  ['{provider: ipfs, api: "http://[::1]:5001/"}', 'http://[::1]:8080'],
  ['{provider: ipfs, api: "https://ipfs.example"}', 'https://ipfs.example'],
  ['{provider: ipfs, api: "http://a:5001", gateway: "http://b:80"}', 'http://b:80'],
])('The gateway of %s is %s', (store, gateway) => {
  expect(settingsWith(store).store.external?.gateway).toBe(gateway);
});

test("A node uses the store's credentials of the definition, not those of the built-in store", () => {
  const settings = settingsWith('{provider: ipfs, api: "http://127.0.0.1:5001", authFile: "file:ipfs.secret"}');
  const [party] = settings.parties;
  if (party === undefined) throw new Error('no party');
  const config = nodeConfig(layoutHere(), { ...settings, auth: { enabled: true } }, party, ports);
  expect(config).toMatchObject({
    store: {
      apiUrl: 'http://127.0.0.1:5001',
      gatewayUrl: 'http://127.0.0.1:8080',
      tokenFile: '/stacks/dev/ipfs.secret',
    },
  });
});
