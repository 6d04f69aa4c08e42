import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { richKey, startAnvil } from '../../../support/anvil.js';
import { startGeth } from '../../../support/geth.js';
import { startKubo } from '../../../support/kubo.js';
import { freePortBase } from '../../../support/port-base.js';
import { startPostgres } from '../../../support/postgres.js';
import type { Part } from '../../../e2e/fixtures/scenario/scenario.js';
import { servicesOf } from '../../../e2e/fixtures/scenario/parts.js';
import { createStackCli } from '../../../e2e/fixtures/stack-cli.js';
import type { Network } from './on-network.js';

/** Engines of a stack: words of `init` and settings that name them, and the parts that run outside the stack. */
interface Engines {
  readonly words: readonly string[];
  readonly parts: readonly Part[];
}

const funder = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Starts a stack of alice and bob with engines that are created for its directory. */
export async function aStack(engines: (directory: string) => Promise<Engines> = withWords()): Promise<Network> {
  const users = createStackCli('default');
  onTestFinished(() => users.remove());
  const { words, parts } = await engines(users.directory);
  await users.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), ...words);
  await users.ok('config', 'validate', '--online', '-s', 'dev');
  await users.ok('start', 'dev', '-q', '--timeout', '4m');
  return { users, parts: [...parts, ...(await servicesOf(() => users.okJson('status', 'dev')))] };
}

/** Returns a function that creates engines by words of `init` alone. */
export function withWords(...words: readonly string[]): () => Promise<Engines> {
  return async () => ({ words, parts: [] });
}

/** Starts an Anvil outside of the stack, as its chain. `PLACE` in a setting stands for its host and port. */
export async function onAnvil(directory: string, words: readonly string[], sets: readonly string[]): Promise<Engines> {
  const anvil = await startAnvil(words);
  onTestFinished(() => anvil.stop());
  const placed = sets.map((set) => set.replace('PLACE', `127.0.0.1:${anvil.port}`));
  // It keeps its blocks only in memory, so it is paused instead of killed.
  const part: Part = { name: 'anvil', end: anvil.pause, back: anvil.resume, awaited: /chain/ };
  return { words: await onChain(directory, anvil.url, placed), parts: [part] };
}

/** Starts a geth outside of the stack, as its chain. */
export async function onGeth(directory: string): Promise<Engines> {
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

/** Starts a Kubo outside of the stack, as its store. */
export async function onKubo(): Promise<Engines> {
  const kubo = await startKubo();
  onTestFinished(() => kubo.remove());
  const words = ['--store', kubo.api, '--set', `store.gateway=${kubo.gateway}`];
  return { words, parts: [{ name: 'kubo', end: kubo.kill, back: kubo.restart, awaited: /shared store/ }] };
}

/** Starts a PostgreSQL, which is killed under load, as the database of all nodes. */
export async function onPostgres(directory: string): Promise<Engines> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const file = join(directory, 'database.url');
  await writeFile(file, `${server.url()}\n`, { mode: 0o600 });
  const part: Part = { name: 'postgres', end: server.kill, back: server.start, awaited: /database/ };
  return { words: ['--db', `postgres=file:${file}`], parts: [part] };
}
