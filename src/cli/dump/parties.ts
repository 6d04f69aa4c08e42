import { createClient } from '../../client/client.js';
import type { Stack } from '../../stack/places/locate.js';
import { stackStatus } from '../../stack/status.js';
import { clientAccess, type NodeAccess, stackAccess } from '../requests/credentials.js';

/** A response of a party's node, or the reason why there is none. */
export interface PartyAnswer {
  readonly party: string;
  /** `status`, `events` or `messages`. */
  readonly subject: string;
  /** The JSON text as served; undefined without a response. */
  readonly text: string | undefined;
  readonly problem: string | undefined;
}

const limitMs = 5_000;

/** Requests status, newest events and pending messages of every running node. */
export async function askParties(stack: Stack, events: number): Promise<readonly PartyAnswer[]> {
  const [{ services }, accesses] = await Promise.all([stackStatus(stack), stackAccess(stack)]);
  const subjects = {
    status: '/api/v1/status',
    events: `events?limit=${events}`,
    messages: 'messages?pending=true&limit=1000',
  };
  const running = services.filter(({ kind, pid }) => kind === 'node' && pid !== null);
  return Promise.all(
    running.flatMap(({ name, url }) =>
      Object.entries(subjects).map(async ([subject, path]) => ({
        party: name,
        subject,
        ...(await ask(url ?? '', path, stack.settings.namespaces[0] ?? 'default', accesses.get(name))),
      })),
    ),
  );
}

async function ask(
  url: string,
  path: string,
  namespace: string,
  access: NodeAccess | undefined,
): Promise<Pick<PartyAnswer, 'text' | 'problem'>> {
  try {
    const client = createClient({ url, namespace, ...clientAccess(access) });
    const { status, text } = await client.exchange({ method: 'GET', path, signal: AbortSignal.timeout(limitMs) });
    return status === 200 ? { text, problem: undefined } : { text: undefined, problem: `The node answered ${status}.` };
  } catch (error) {
    return { text: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}
