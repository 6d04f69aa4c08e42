import { expect, test } from 'vitest';
import type { Containers } from '../../../../src/stack/engines/containers.js';
import { layoutOf } from '../../../../src/stack/layout.js';
import { portsFrom } from '../../../../src/stack/ports/ports.js';
import { planOf } from '../../../../src/stack/running/plan.js';
import { aPlace, someSettings } from '../fixtures/place.js';

const containers: Containers = {
  plan: { engine: { socketPath: '/run/docker.sock' }, prefix: 'parley-dev', network: 'parley-dev' },
  user: '0:0',
  imageOf: () => 'parley',
  programOf: (kind) => `/opt/parley/bin/${kind}.js`,
  authorities: '/etc/own.pem',
};

test('Only nodes mount the file of authorities', () => {
  const settings = someSettings('runtime: docker');
  const genesis = { chainId: 1, genesisTime: '2026-01-01T00:00:00Z', accounts: [] };
  const options = { genesis, fund: [], smoke: false, containers };
  const ports = portsFrom(16_000, ['alice']);
  const { services } = planOf(layoutOf('/stacks/dev', aPlace()), settings, ports, options);
  const mounting = services.filter((spec) => {
    const mounts = spec.type === 'service' ? (spec.container?.mounts ?? []) : [];
    return mounts.some(({ path, isReadOnly }) => path === '/etc/own.pem' && isReadOnly);
  });
  const nodes = services.filter(({ kind }) => kind === 'node');
  expect(mounting.map(({ name }) => name)).toEqual(nodes.map(({ name }) => name));
  expect(nodes).not.toEqual([]);
});
