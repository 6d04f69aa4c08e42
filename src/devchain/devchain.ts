import type { Running } from '../http/program.js';
import { openListener } from '../http/listener.js';
import { authenticationByToken } from '../http/access/token.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import { createApi } from './api.js';
import type { Chain, Genesis } from './engine/chain.js';
import { type ChainConfig, genesisOf } from './config.js';
import { createInterval } from './mining/interval.js';
import { createJournal } from './journal/journal.js';
import { replay } from './journal/replay.js';
import { createFilters } from './rpc/filters.js';
import { createRpcHandler } from './rpc/rpc.js';
import { createSockets } from './rpc/sockets.js';
import { createSubscriptions } from './rpc/subscriptions.js';
import { createChainTurns, type ChainTurns } from './mining/turn.js';

export interface DevChainOptions {
  readonly config: Omit<ChainConfig, 'dataDirectory' | 'logLevel' | 'anvil'>;
  /** The data directory, which no other process uses. */
  readonly files: Files;
  readonly newChain: (genesis: Genesis) => Promise<Chain>;
  /** The time of day in milliseconds. */
  readonly nowMs: () => number;
  readonly log: Log;
  readonly failpoint: Failpoint;
  /** Called at intervals with the progress of a long start, as text. */
  readonly tellProgress: (text: string) => void;
  /** Called on an unrecoverable error; the chain answers nothing more. */
  readonly fail: (error: unknown) => void;
}

const maxRequestBytes = 2 * 1_024 * 1_024;
const graceMs = 1_000;

/**
 * Starts the journalled chain behind JSON-RPC: replays its journal, then listens.
 *
 * @throws Error if the journal does not reproduce the recorded chain, or the port cannot be bound
 */
export async function startDevChain(options: DevChainOptions): Promise<Running & Required<Omit<Running, 'note'>>> {
  const { config, files, newChain, nowMs, log, failpoint, tellProgress, fail } = options;
  const subscriptions = createSubscriptions();
  const filters = createFilters();
  const journal = createJournal({ files, log, failpoint });
  const genesis = genesisOf(config);
  const interval = createInterval(async () => {
    await turns
      .change(mineOne)
      .catch((error: unknown) => log.warn('Could not mine the block of an interval', { error }));
  });
  const onProgress = (share: number, block: number): void => {
    const percent = Math.floor(100 * share);
    log.info('Replaying the journal', { percent, block });
    tellProgress(`replayed ${percent} % of its journal, up to block ${block}`);
  };
  const turns = await createChainTurns({
    journal,
    openLedger: () => replay({ journal, newChain, genesis, mining: config.mining, nowMs, failpoint, onProgress }),
    publish: async (effects, chain) => {
      interval.follow(turns.mining().intervalMs);
      filters.publish(effects);
      await subscriptions.publish(effects, chain);
    },
    fail,
    failpoint,
    log,
    allowRevert: config.allowRevert,
  });
  const head = turns.head();
  log.info('Opened the chain', { block: head.number, hash: head.hash });
  const rpc = createRpcHandler({ turns, subscriptions, filters, log });
  const sockets = createSockets({ rpc, subscriptions, maxRequestBytes });
  const listener = await openListener({
    host: config.host,
    port: config.port,
    rules: { hosts: config.hosts, origins: config.origins, contentTypes: () => ['application/json'] },
    middleware: createApi({ rpc, turns, maxRequestBytes }),
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    authentication: await authenticationByToken('chain', config.tokenFile),
    trustedNetwork: config.trustedNetwork,
    log,
  });
  interval.follow(turns.mining().intervalMs);
  return {
    port: listener.port,
    url: listener.url,
    ...(head.number > 0 && { note: `block ${head.number} (${head.number} replayed)` }),
    async stop() {
      interval.follow(0);
      await Promise.all([sockets.close(), listener.close(graceMs)]);
      await turns.stop();
      await files.close();
    },
  };
}

const mineOne: Parameters<ChainTurns['change']>[0] = async (ledger) => {
  await ledger.mine(1, 1);
  return () => undefined;
};
