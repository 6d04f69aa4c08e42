import { type Host, joinDev, startDev, twoHosts } from '../../../e2e/fixtures/hosts.js';
import { usersApart } from '../../../e2e/fixtures/scenario/apart.js';
import { servicesOf } from '../../../e2e/fixtures/scenario/parts.js';
import type { Part } from '../../../e2e/fixtures/scenario/scenario.js';
import type { Network } from './on-network.js';

/** A network of alice, on the host of the chain, and bob, who has joined from another. */
export async function networkOfHosts(): Promise<Network> {
  const hosts = await twoHosts();
  const [first, second] = hosts;
  await startDev(first, 1);
  await joinDev(hosts, 'bob');
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
