import { join } from 'node:path';
import { type Host, twoHosts } from '../../../e2e/fixtures/hosts.js';
import { usersApart } from '../../../e2e/fixtures/scenario/apart.js';
import { servicesOf } from '../../../e2e/fixtures/scenario/parts.js';
import type { Part } from '../../../e2e/fixtures/scenario/scenario.js';
import type { Network } from './networks.js';

/** A network of alice, on the host of the chain, and bob, who has joined from another. */
export async function networkOfHosts(): Promise<Network> {
  const [first, second] = await twoHosts();
  const sets = [`bind=${first.address}`, `advertise=${first.address}`, 'auth.enabled=true', 'trustedNetwork=true'];
  await first.ok('init', 'dev', '-n', '1', '-q', ...sets.flatMap((set) => ['--set', set]));
  await first.ok('start', 'dev', '-q');
  const invitation = join(first.directory, 'bob.invite.json');
  const request = join(second.directory, 'bob.join.json');
  await first.ok('party', 'invite', 'bob', '-o', invitation);
  await second.ok('party', 'join', invitation, '--advertise', second.address, '-o', request);
  await first.ok('party', 'admit', request, '-q');
  await second.ok('start', 'bob', '-q', '--timeout', '2m');
  const at = (party: string) => (party === 'bob' ? { host: second, stack: 'bob' } : { host: first, stack: 'dev' });
  const users = usersApart({
    directory: first.directory,
    run: (words, party) => at(party).host.run([...words, '-s', at(party).stack]),
    async restart(party) {
      await at(party).host.ok('party', 'restart', party, '-s', at(party).stack, '-q');
    },
    async stop() {
      await second.ok('stop', 'bob', '-q');
      await first.ok('stop', 'dev', '-q');
    },
    async start() {
      await first.ok('start', 'dev', '-q');
      await second.ok('start', 'bob', '-q', '--timeout', '2m');
    },
  });
  const link: Part = { name: 'link', end: first.cut, back: first.heal };
  const statusAt = ({ host, stack }: { host: Host; stack: string }) =>
    servicesOf(async () => JSON.parse(await host.ok('status', stack, '--json')));
  return { users, parts: [link, ...(await statusAt(at('alice'))), ...(await statusAt(at('bob')))] };
}
