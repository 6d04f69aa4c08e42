import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { type Ask, createAsk, findEngine, freePort } from './engines.js';
import { isRequired } from './services.js';

const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
/** Path of the npm package, as `.ci/run` installs it below `$PARLEY_ENGINES`. */
const path = `anvil-1.7.1/node_modules/@foundry-rs/anvil-${platform}/bin/anvil`;
const program = findEngine('anvil', path);

/** Whether tests that need Anvil are skipped, because it is missing and not required. */
export const hasNoAnvil = program === undefined && !isRequired('anvil');

/** The first of the published keys that Anvil funds. */
export const richKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

export interface Anvil {
  readonly port: number;
  readonly url: string;
  readonly ask: Ask;
  /** Suspends the process: it accepts connections but does not answer. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Anvil on loopback, on a given or free port. */
export async function startAnvil(flags: readonly string[] = [], given?: number): Promise<Anvil> {
  if (program === undefined) throw new Error(`No Anvil: put it on PATH, or below $PARLEY_ENGINES as ${path}.`);
  const port = given ?? (await freePort());
  const child = spawn(program, ['--host', '127.0.0.1', '--port', String(port), '--silent', ...flags], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const ask = createAsk(url);
  await expect.poll(() => ask('eth_chainId').catch(() => undefined)).toBeDefined();
  return {
    port,
    url,
    ask,
    pause: async () => void child.kill('SIGSTOP'),
    resume: async () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
