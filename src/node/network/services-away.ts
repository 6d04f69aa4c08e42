import type { ServiceAway } from '../../pipeline/operations/lane.js';
import type { Status } from '../../wire/network/status.js';

/**
 * Returns the services that lanes wait for, each with the time of its first lane: the store once, however many members'
 * content it has, and any other service once for each of its errors.
 */
export function servicesAway(lanes: readonly ServiceAway[]): Status['parley']['waiting'] {
  const away = new Map<string, Waiting>();
  for (const { lane, since, error } of lanes) {
    const service = serviceOf(lane);
    const key = service === 'store' ? service : `${service} ${error}`;
    const before = away.get(key);
    if (before === undefined || since < before.since) away.set(key, { service, since, error });
  }
  return [...away.values()];
}

type Waiting = Status['parley']['waiting'][number];

function serviceOf(lane: string): string {
  const [kind = ''] = lane.split(':');
  if (['key', 'calls', 'source'].includes(kind)) return 'chain';
  return ['peer', 'blobs'].includes(kind) ? 'peer' : 'store';
}
