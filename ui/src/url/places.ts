import { nodeNow } from '../api/node-clock.js';
import { basePath } from './base.js';
import { changedPlace, formatPlace, type Known, parsePlace, type Parsed, type Place, withSameLists } from './place.js';

/** The browser's address bar and history, as places. */
export interface Places {
  current(): Parsed;
  subscribe(listener: () => void): () => void;
  /** Goes to the current place with these changes. Use `replace` for text that is being typed. */
  go(change: Partial<Place>, how?: 'push' | 'replace'): void;
}

/** The address of a place, for a link. */
export function hrefOf(place: Place): string {
  return basePath + formatPlace(place);
}

export function createPlaces(known: Known): Places {
  const listeners = new Set<() => void>();
  const read = () => parsePlace(location.pathname.slice(basePath.length), location.search, known, nodeNow());
  let current = read();
  const refresh = () => {
    const { place, notices } = read();
    current = { place: withSameLists(place, current.place), notices };
    for (const listener of listeners) listener();
  };
  addEventListener('popstate', refresh);
  const wanted = hrefOf(current.place);
  if (wanted !== location.pathname + location.search) history.replaceState(null, '', wanted);
  return {
    current: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go(change, how = 'push') {
      const url = hrefOf(changedPlace(current.place, change));
      if (url === location.pathname + location.search) return;
      if (how === 'push') history.pushState(null, '', url);
      else history.replaceState(null, '', url);
      refresh();
    },
  };
}
