import { usePlace } from '../api/explorer.js';
import { rangeNow } from './range-now.js';
import { useAtNow } from './text/now.js';

/** The current time for the time range of the page, see `rangeNow`. */
export function useRangeNow(): number {
  const { from, to } = usePlace();
  return useAtNow((nowMs) => rangeNow(from, to, nowMs));
}
