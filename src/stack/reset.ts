import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../supervisor/files/json-file.js';
import { discardState } from './cleaning/discard.js';
import { hasSupervisor } from './cleaning/stale.js';
import { StackError } from './error.js';
import { dropDatabases } from './engines/external-database.js';
import type { Stack } from './places/locate.js';
import { withLock } from './places/lock.js';
import { forgetFormer } from './snapshot/restoring/swap.js';
import { requireStartable } from './running/attempt.js';
import { boundTo, startStack, type StartResult } from './running/start.js';
import type { StartOptions } from './running/start-options.js';
import { stopUnlocked } from './running/stop.js';

export interface ResetOptions extends StartOptions {
  /** Default: start again if it was running. */
  readonly restart?: boolean;
  /** Report what would be freed, delete nothing. */
  readonly dryRun?: boolean;
  /** The start that the caller makes afterwards; the reset itself then starts nothing. */
  readonly followedBy?: StartOptions;
}

export interface ResetResult {
  readonly reset: string;
  readonly freedBytes: number;
  readonly restarted: boolean;
  readonly start: StartResult | null;
}

/**
 * Deletes the data of the network: chain journal, store and node data of all parties, in PostgreSQL too. Definition,
 * keys, ports and logs are kept, so contracts get the same addresses again. A killed reset has deleted all or nothing.
 * If a start is to follow and is certain to fail, nothing is stopped or deleted.
 *
 * @throws StackError as `stopStack`, `dropDatabases` and `startStack`
 */
export async function resetStack(stack: Stack, options: ResetOptions = {}): Promise<ResetResult> {
  const { layout } = stack;
  requireOwnContracts(stack);
  const freedBytes = await sizeOf(layout.data);
  if (options.dryRun === true) return { reset: stack.name, freedBytes, restarted: false, start: null };
  const wasRunning = await withLock(layout.lock, 'reset', async () => {
    const isRunning = await hasSupervisor(stack);
    const next = options.followedBy ?? (isRunning && options.restart !== false ? options : undefined);
    if (next !== undefined)
      await requireStartable(boundTo(stack, next.host), next, { freedBytes, isRunning, isAnew: true });
    const { alreadyStopped } = await stopUnlocked(stack, { onSilent: options.onSilent });
    // First, since this may fail, and nothing else has been changed yet.
    await dropDatabases(stack.settings);
    await forgetFormer(layout);
    await discardState(layout);
    return !alreadyStopped;
  });
  const mayRestart = options.restart !== false && options.followedBy === undefined;
  const start = wasRunning && mayRestart ? await startStack(stack, options) : null;
  return { reset: stack.name, freedBytes, restarted: start !== null, start };
}

/** Refuses a network whose contracts the definition names: it existed before this stack. */
function requireOwnContracts({ settings: { chain } }: Stack): void {
  if (chain.external?.contracts == null) return;
  throw new StackError('CHAIN_REFUSED', 'chain.contracts names an existing network, which a reset cannot replace.', {
    hint: 'To begin a new network, remove chain.contracts from stack.yaml, then: stack reset',
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    const entry = await lstat(path);
    if (!entry.isDirectory()) return entry.size;
    const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch (error) {
    // A running stack creates and deletes files while they are counted.
    if (isErrno(error, 'ENOENT')) return 0;
    throw error;
  }
}
