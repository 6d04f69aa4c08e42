import { mkdir } from 'node:fs/promises';
import { createSystemClock } from '../adapters/clock/system.js';
import { createArmedFailpoint } from '../adapters/failpoint/armed.js';
import { createDiskFiles } from '../adapters/files/disk.js';
import { acquireLock } from '../adapters/files/lock.js';
import { openListener } from '../http/listener.js';
import { authenticationByToken } from '../http/access/token.js';
import type { Log } from '../ports/log.js';
import { createAdder } from './content/add.js';
import { createApi, createRules } from './api/api.js';
import type { StoreConfig } from './config.js';
import { createContent } from './content/content.js';

export interface StoreOptions {
  readonly config: StoreConfig;
  readonly log: Log;
  readonly failpoints?: string | undefined;
}

export interface Store {
  readonly port: number;
  readonly url: string;
  /** Waits for requests in progress, closes the listener and releases the directory. */
  stop(): Promise<void>;
}

/** How long a stop waits for requests in progress; less than the 2 s that a program has after its parent has died. */
const graceMs = 1_500;

/**
 * Starts the shared store: locks its directory, removes old drafts, and listens.
 *
 * @throws Error if another process uses the directory, or the port cannot be bound
 */
export async function startStore({ config, log, failpoints }: StoreOptions): Promise<Store> {
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  const release = await acquireLock(config.dataDirectory);
  try {
    const files = createDiskFiles({ root: config.dataDirectory });
    const failpoint = createArmedFailpoint(failpoints);
    const content = createContent({ files, clock: createSystemClock() });
    await content.removeDrafts();
    const { maxFileBytes, minFreeBytes, host, port } = config;
    const listener = await openListener({
      host,
      port,
      rules: createRules(config.hosts, config.origins),
      middleware: createApi({
        add: createAdder({ files, content, failpoint }),
        content,
        freeBytes: files.freeBytes,
        maxFileBytes,
        minFreeBytes,
        log,
      }),
      authentication: await authenticationByToken('store', config.tokenFile),
      trustedNetwork: config.trustedNetwork,
      log,
    });
    return {
      port: listener.port,
      url: listener.url,
      async stop() {
        await listener.close(graceMs);
        await files.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
