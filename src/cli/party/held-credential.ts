import type { Transport } from '../../client/transport.js';
import type { Stack } from '../../stack/places/locate.js';
import { type ServiceRow, stackStatus } from '../../stack/status.js';

/** The credential of a node that did not run when the command began: its port may belong to another program. */
export interface HeldCredential {
  /** Empty until the node was seen running. */
  headers(): Readonly<Record<string, string>>;
  /** A transport that sends nothing before the node runs, and then sends the credential, too. */
  over(send: Transport): Transport;
}

interface Secret {
  readonly headers: Readonly<Record<string, string>>;
}

/** Holds the credential of a node of a stack back until it runs; undefined if it does, or needs none. */
export function holdForNode(stack: Stack, row: ServiceRow, credential: Secret | undefined): HeldCredential | undefined {
  if (credential === undefined || isRunning(row)) return undefined;
  return holdCredential(credential, async () => {
    const { services } = await stackStatus(stack);
    return services.some((now) => now.name === row.name && isRunning(now));
  });
}

/** A node that its user starts has no process known here: it runs once it answers. */
function isRunning({ pid, isExternal, health }: ServiceRow): boolean {
  return pid !== null || (isExternal && health === 'healthy');
}

/** Holds a credential back until `runs` says that the node runs. */
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
