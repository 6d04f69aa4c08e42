import type { Transport } from '../../client/transport.js';
import type { Stack } from '../../stack/places/locate.js';
import { type ServiceRow, stackStatus } from '../../stack/status.js';

/** The credential of a node that is not running yet, when another program may listen on its port. */
export interface HeldCredential {
  /** Empty until the node runs. */
  headers(): Readonly<Record<string, string>>;
  /** A transport that fails before the node runs, and then adds the credential. */
  over(send: Transport): Transport;
}

interface Secret {
  readonly headers: Readonly<Record<string, string>>;
}

/** Withholds the credential of a node until it runs; undefined if the node runs or needs no credential. */
export function holdForNode(stack: Stack, row: ServiceRow, credential: Secret | undefined): HeldCredential | undefined {
  if (credential === undefined || isRunning(row)) return undefined;
  return holdCredential(credential, async () => {
    const { services } = await stackStatus(stack);
    return services.some((now) => now.name === row.name && isRunning(now));
  });
}

/** A node that the user runs has no known process; it runs if it answers. */
function isRunning({ pid, isExternal, health }: ServiceRow): boolean {
  return pid !== null || (isExternal && health === 'healthy');
}

/** Withholds a credential until `runs` resolves with true. */
export function holdCredential({ headers }: Secret, runs: () => Promise<boolean>): HeldCredential {
  let isReleased = false;
  return {
    headers: () => (isReleased ? headers : {}),
    over: (send) => async (request) => {
      if (!isReleased && !(await runs())) throw new Error('the node does not run');
      isReleased = true;
      return send({ ...request, headers: { ...request.headers, ...headers } });
    },
  };
}
