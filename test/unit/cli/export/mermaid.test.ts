import { describe, expect, it } from 'vitest';
import { topologyOf } from '../../../../src/cli/export/mermaid.js';
import type { Fault } from '../../../../src/wire/network/faults.js';

const since = '2026-01-01T00:00:00Z';
const end = (party: string) => ({ party, key: 'a'.repeat(64) });

function drawn(names: readonly string[], faults: readonly Fault[] = []): string[] {
  const parties = names.map((name) => ({
    name,
    organization: name === 'bob' ? 'Bob "& <Sons>' : name,
    node: `${name}-node`,
  }));
  const tokens = { connectors: ['erc1155' as const], pools: [] };
  const services = [{ name: 'chain', kind: 'chain', state: 'healthy', url: 'http://127.0.0.1:16000' }] as const;
  const settings = { name: 'dev', parties, tokens, namespaces: ['default'] };
  return topologyOf({ settings, state: 'running', services, faults }).split('\n');
}

describe('the topology of a stack', () => {
  it('has every service with its address and state, and texts that Mermaid shows literally', () => {
    expect(drawn(['alice', 'bob'])).toEqual([
      'flowchart TB',
      '  subgraph n_stack["dev · running"]',
      '    n_chain[("chain<br/>http://127.0.0.1:16000<br/>healthy<br/>tokens: erc1155")]',
      '    n_store[("store<br/>stopped")]',
      '    n_alice["alice<br/>stopped"]',
      '    n_bob["bob<br/>Bob &quot;&amp; &lt;Sons&gt;<br/>stopped"]',
      '  end',
      '  n_alice --> n_chain',
      '  n_alice --> n_store',
      '  n_bob --> n_chain',
      '  n_bob --> n_store',
      '  n_alice <-- "mutual TLS" --> n_bob',
    ]);
  });

  it('shows faults in place of the links that they disturb', () => {
    const lines = drawn(
      ['alice', 'bob', 'end-of'],
      [
        { id: 'f1', kind: 'cut', from: end('alice'), to: end('bob'), oneWay: false, since },
        { id: 'f2', kind: 'delay', from: end('bob'), to: end('end-of'), oneWay: true, delayMs: 300, since },
        { id: 'f3', kind: 'drop', from: end('alice'), oneWay: false, since },
      ],
    );
    expect(lines.slice(-7)).toEqual([
      '  n_alice <-- "mutual TLS" --> n_end_of',
      '  n_alice <-. "cut" .-> n_bob',
      '  n_bob -. "slower by 300 ms" .-> n_end_of',
      '  n_alice -. "reads fail" .-> n_store',
      '  %% the link alice ↔ bob is cut',
      '  %% the link bob → end-of is slower by 300 ms',
      '  %% what alice reads from the shared store fails',
    ]);
  });

  it('links many parties through one point, and a single party to none', () => {
    const many = drawn(Array.from({ length: 8 }, (_, i) => `p${i}`));
    expect(many.filter((line) => line.includes('n_peers'))).toHaveLength(9);
    expect(drawn(['alice']).some((line) => line.includes('TLS'))).toBe(false);
  });
});
