import type { ServiceAway } from '../../pipeline/operations/lane.js';
import type { Status } from '../../wire/network/status.js';

/** Returns the services that lanes wait for: each peer, and the store once, however many members' content it has. */
export function servicesAway(lanes: readonly ServiceAway[]): Status['parley']['waiting'] {
  const all = lanes.map(({ lane, since, error }) => ({ service: serviceOf(lane), since, error }));
  const stores = all.filter(({ service }) => service === 'store').sort((a, b) => (a.since < b.since ? -1 : 1));
  return [...all.filter(({ service }) => service !== 'store'), ...stores.slice(0, 1)];
}

function serviceOf(lane: string): string {
  const [kind = ''] = lane.split(':');
  if (['key', 'calls', 'source'].includes(kind)) return 'chain';
  return ['peer', 'blobs'].includes(kind) ? 'peer' : 'store';
}
