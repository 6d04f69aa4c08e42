import { expect, test } from 'vitest';
import { externalParties, requireExternal } from '../../../../src/stack/engines/external.js';
import { layoutOf } from '../../../../src/stack/layout.js';
import { planOf } from '../../../../src/stack/running/plan.js';
import { portsFrom } from '../../../../src/stack/ports/ports.js';
import { parseStackFile } from '../../../../src/stack/definition/stack-file.js';
import { aPlace } from '../fixtures/place.js';

const base = 'apiVersion: stack/v1\nname: dev\nparties: [alice, bob, carol]\n';
const pools = 'tokens: {pools: [{name: a, type: fungible, owner: alice}, {name: b, type: fungible, owner: bob}]}\n';

test('A plan has no service for a node that the user runs, and no service waits for it', () => {
  const settings = parseStackFile(`${base}${pools}`, 'stack.yaml');
  const layout = layoutOf('/stacks/dev', aPlace());
  const genesis = { chainId: 1, genesisTime: '2026-01-01T00:00:00Z', accounts: [] };
  const ports = portsFrom(16_000, ['alice', 'bob', 'carol']);
  const plan = planOf(layout, settings, ports, { genesis, fund: [], smoke: true, external: ['bob'] });
  expect(plan.external).toEqual(['bob']);
  const names = ['chain', 'store', 'contracts', 'alice', 'carol', 'smoke', 'pools'];
  expect(plan.services.map(({ name }) => name)).toEqual(names);
  expect(plan.services.flatMap(({ after }) => after.map(({ name }) => name))).not.toContain('bob');
  const valueOf = (task: string) => plan.services.find(({ name }) => name === task)?.config.value;
  expect(valueOf('pools')).toMatchObject({ pools: [{ name: 'a' }], parties: [{ name: 'alice' }, { name: 'carol' }] });
  expect(valueOf('contracts')).toMatchObject({
    parties: [{}, { name: 'bob', endpoint: 'https://127.0.0.1:16051' }, {}],
  });
});

test.each([
  [`${base}`, ['bobb'], 'SERVICE_NOT_FOUND'],
  [`${base}ports: {base: os}\n`, ['bob'], 'EXTERNAL_REFUSED'],
  [`${base}`, ['alice', 'bob', 'carol'], 'EXTERNAL_REFUSED'],
])('Unknown parties, parties without fixed ports, and all parties cannot be external: %#', (text, external, code) => {
  const settings = parseStackFile(text, 'stack.yaml');
  expect(() => requireExternal(settings, external)).toThrow(expect.objectContaining({ code }) as Error);
  expect(() => requireExternal(settings, [])).not.toThrow();
});

test('A definition may mark a party as external', () => {
  const text = base.replace('bob', '{name: bob, external: true}').replace('carol', '{name: carol, external: false}');
  expect(externalParties(parseStackFile(text, 'stack.yaml'))).toEqual(['bob']);
});
