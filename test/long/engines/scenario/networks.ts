import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hasNoAnvil, richKey, startAnvil } from '../../../support/anvil.js';
import { hasNoDocker } from '../../../support/docker.js';
import { hasNoGeth, startGeth } from '../../../support/geth.js';
import { hasNoKubo, startKubo } from '../../../support/kubo.js';
import { freePortBase } from '../../../support/port-base.js';
import { hasNoPostgres, startPostgres } from '../../../support/postgres.js';
import { isNetworkRoot } from '../../../e2e/fixtures/hosts.js';
import type { Part, Users } from '../../../e2e/fixtures/scenario/scenario.js';
import { servicesOf } from '../../../e2e/fixtures/scenario/parts.js';
import { createStackCli } from '../../../e2e/fixtures/stack-cli.js';
import { networkOfHosts } from './network-of-hosts.js';

/** A running network of alice and bob, and its parts that may be taken away. */
export interface Network {
  readonly users: Users;
  readonly parts: readonly Part[];
}

interface NetworkKind {
  readonly on: string;
  /** The engines of others that it takes, and whether its test is skipped because one is missing. */
  readonly needs?: string;
  readonly isSkipped: boolean;
  start(): Promise<Network>;
}

/** Engines of a stack: the words of `init` and the settings that name them, and the parts that others run. */
interface Engines {
  readonly words: readonly string[];
  readonly parts: readonly Part[];
}

const funder = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const own: Engines = { words: [], parts: [] };
const blockEachSecond = ['--block-time', '1'];

/** All kinds of networks on which the same scenario must hold. */
export const networks: readonly NetworkKind[] = [
  { on: 'its own engines', isSkipped: false, start: () => aStack(async () => own) },
  { on: 'containers', needs: 'docker', isSkipped: hasNoDocker, start: () => aStack(withWords('--runtime', 'docker')) },
  { on: 'blocks of Anvil', needs: 'anvil', isSkipped: hasNoAnvil, start: () => aStack(withWords('--chain', 'anvil')) },
  {
    on: 'an Anvil of others over HTTP, a block each second, one confirmation',
    needs: 'anvil',
    isSkipped: hasNoAnvil,
    start: () => aStack((directory) => onAnvil(directory, blockEachSecond, ['chain.confirmations=1'])),
  },
  {
    on: 'an Anvil of others over WebSocket, a block for each transaction',
    needs: 'anvil',
    isSkipped: hasNoAnvil,
    start: () => aStack((directory) => onAnvil(directory, [], ['chain.final=true', 'chain.ws=ws://PLACE'])),
  },
  {
    on: 'geth, a block each second, three confirmations',
    needs: 'geth',
    isSkipped: hasNoGeth,
    start: () => aStack(onGeth),
  },
  { on: 'Kubo', needs: 'kubo', isSkipped: hasNoKubo, start: () => aStack(onKubo) },
  { on: 'PostgreSQL', needs: 'postgres', isSkipped: hasNoPostgres, start: () => aStack(onPostgres) },
  {
    on: 'geth, Kubo and PostgreSQL at once',
    needs: 'geth, kubo, postgres',
    isSkipped: hasNoGeth || hasNoKubo || hasNoPostgres,
    start: () =>
      aStack(async (directory) => {
        const all = [await onGeth(directory), await onKubo(), await onPostgres(directory)];
        return { words: all.flatMap(({ words }) => words), parts: all.flatMap(({ parts }) => parts) };
      }),
  },
  {
    on: 'two hosts whose link is cut',
    needs: 'root, for network namespaces',
    isSkipped: !isNetworkRoot,
    start: networkOfHosts,
  },
];

function withWords(...words: readonly string[]): () => Promise<Engines> {
  return async () => ({ words, parts: [] });
}

/** A stack of alice and bob with the engines that are made for its directory. */
async function aStack(engines: (directory: string) => Promise<Engines>): Promise<Network> {
  const users = createStackCli('default');
  onTestFinished(() => users.remove());
  const { words, parts } = await engines(users.directory);
  await users.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), ...words);
  await users.ok('config', 'validate', '--online', '-s', 'dev');
  await users.ok('start', 'dev', '-q', '--timeout', '4m');
  return { users, parts: [...parts, ...(await servicesOf(() => users.okJson('status', 'dev')))] };
}

async function onAnvil(directory: string, words: readonly string[], sets: readonly string[]): Promise<Engines> {
  const anvil = await startAnvil(words);
  onTestFinished(() => anvil.stop());
  const placed = sets.map((set) => set.replace('PLACE', `127.0.0.1:${anvil.port}`));
  // It keeps its blocks in memory alone, so it is held still instead of being killed.
  const part: Part = { name: 'anvil', end: anvil.pause, back: anvil.resume, awaited: /chain/ };
  return { words: await onChain(directory, anvil.url, placed), parts: [part] };
}

async function onGeth(directory: string): Promise<Engines> {
  const geth = await startGeth(funder);
  onTestFinished(() => geth.stop());
  const words = await onChain(directory, geth.url, [`chain.ws=${geth.ws}`, 'chain.confirmations=3']);
  return { words, parts: [{ name: 'geth', end: geth.kill, back: geth.restart, awaited: /chain/ }] };
}

async function onChain(directory: string, url: string, sets: readonly string[]): Promise<readonly string[]> {
  const file = join(directory, 'funder');
  await writeFile(file, `${richKey}\n`, { mode: 0o600 });
  return ['--chain', url, ...[`chain.funder=file:${file}`, ...sets].flatMap((set) => ['--set', set])];
}

async function onKubo(): Promise<Engines> {
  const kubo = await startKubo();
  onTestFinished(() => kubo.remove());
  const words = ['--store', kubo.api, '--set', `store.gateway=${kubo.gateway}`];
  return { words, parts: [{ name: 'kubo', end: kubo.kill, back: kubo.restart, awaited: /shared store/ }] };
}

async function onPostgres(directory: string): Promise<Engines> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const file = join(directory, 'database.url');
  await writeFile(file, `${server.url()}\n`, { mode: 0o600 });
  const part: Part = { name: 'postgres', end: server.kill, back: server.start, awaited: /database/ };
  return { words: ['--db', `postgres=file:${file}`], parts: [part] };
}
