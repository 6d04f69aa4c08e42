import { createClient } from '../../client/client.js';
import { ClientError, UnreachableError } from '../../client/errors.js';
import type { Status } from '../../wire/status.js';
import type { Credential } from '../credentials.js';

/** The progress of a party, as reported by its node. */
export interface PartyState {
  /** In the default namespace; null if the node does not count. */
  readonly messages: number | null;
  readonly pending: number;
  readonly blockedTopics: number;
  readonly lastSequence: number;
  readonly chainHead: number | null;
  /** Blocks of the chain that the node has not processed; null if it does not know the chain's head. */
  readonly chainLag: number | null;
  /** Unreachable services. */
  readonly waiting: readonly string[];
  /** The limits of its network; null if the node has not read them yet. */
  readonly rules: Rules | null;
}

type Rules = Pick<NonNullable<Status['parley']['rules']>, 'absent' | 'guard'>;

const limitMs = 2_000;

/** The state of every node that responds in time, by party. */
export async function readParties(
  nodes: readonly {
    readonly name: string;
    readonly url: string | null;
    readonly pid: number | null;
    readonly isExternal: boolean;
  }[],
  credentials: ReadonlyMap<string, Credential>,
): Promise<Map<string, PartyState>> {
  const running = nodes.flatMap(({ name, url, pid, isExternal }) =>
    url === null || (pid === null && !isExternal) ? [] : [{ name, url }],
  );
  const states = await Promise.all(
    running.map(async ({ name, url }) => [name, await readParty(url, credentials.get(name))] as const),
  );
  return new Map(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state] as const])));
}

/** The state of one node; undefined if it does not respond. */
export async function readParty(url: string, credential?: Credential): Promise<PartyState | undefined> {
  const client = createClient({ url, ...(credential && { headers: credential.headers }) });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const [{ value }, counted] = await Promise.all([
      client.getStatus({ signal }),
      client.exchange({ method: 'GET', path: 'messages?limit=0&count=true', signal }),
    ]);
    const { pending, blocked, lastSequence, chain, waiting, rules } = value.parley;
    const total = /"total":(\d+)/.exec(counted.text)?.[1];
    return {
      ...{ messages: total === undefined ? null : Number(total), pending, blockedTopics: blocked, lastSequence },
      ...{ chainHead: chain.head, chainLag: chain.head === null ? null : Math.max(0, chain.head - chain.processed) },
      waiting: waiting.map(({ service }) => service),
      rules: rules && { absent: rules.absent, guard: rules.guard },
    };
  } catch (error) {
    if (error instanceof ClientError || error instanceof UnreachableError || signal.aborted) return undefined;
    throw error;
  }
}
