import type { HttpClient } from '../../../../src/bench/http.js';
import type { VictimStack } from '../../crash/victim-stack.js';
import type { VisibleStack } from './attacker.js';
import type { HostileMember } from './member.js';

export type Party = VictimStack['parties'][number];

/** A running stack from an attacker's point of view. */
export interface World {
  readonly stack: VisibleStack;
  readonly http: HttpClient;
  /** The party to which requests from outside are sent. */
  readonly target: Party;
  readonly member: HostileMember;
}

/** An attack that is limited in count and time, and ends by itself. */
export interface Attack {
  readonly name: string;
  /** Carries it out; resolves with a short text about requests and answers. Rejects for a wrong answer. */
  run(world: World): Promise<string>;
}

/** Sends a POST below the default namespace of a party; returns the status and the beginning of the answer. */
export async function post(
  { http, target }: World,
  path: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const address = `${target.url}/api/v1/namespaces/default/${path}`;
  try {
    const { status, bytes } = await http.exchange(address, { method: 'POST', body });
    return { status, text: bytes.toString('utf8').slice(0, 200) };
  } catch (error) {
    return { status: 0, text: String(error) };
  }
}

/** Counts each status, such as `202 × 60`. */
export function tally(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status === 0 ? 'no answer' : status} × ${count}`).join(', ');
}
