import { useMemo } from 'react';
import { type Parameters, readPage } from '../../../../src/client/page.js';
import { countOf } from '../../api/count.js';
import { usePlace } from '../../api/explorer.js';
import { rangeOf } from '../../api/filter.js';
import { useRead } from '../../api/read.js';
import { nodeNow } from '../../api/node-clock.js';
import { chartRange } from '../../components/chart/chart-range.js';
import { rateText } from '../../components/chart/histogram-shape.js';
import { useAtNow } from '../../components/text/now.js';
import { latencies, ratePerSecond } from './latency.js';

const sampleSize = 200;
const rateWindowMs = 10_000;

interface Throughput {
  /** Times from creation to confirmation, sorted, in milliseconds. */
  readonly times: readonly number[];
  readonly rate: string;
  /** The period, as the end of a sentence. */
  readonly period: string;
}

/** The throughput over the selected time range; on a live page, over the last seconds and the newest messages. */
export function useThroughput(): Throughput {
  const { from, to } = usePlace();
  const isLive = from === undefined && to === undefined;
  const read = useRead(
    'messages',
    ['throughput', from, to],
    async (client, signal) => {
      const nowMs = nodeNow();
      const range: Parameters = [['pending', 'false'], ...rangeOf({ from, to }, nowMs, 'confirmed')];
      const query = new URLSearchParams(range.map(([name, value]): [string, string] => [name, value]));
      const [{ entries }, count] = await Promise.all([
        readPage(client, 'listMessages', [...range, ['limit', String(sampleSize)]], signal),
        isLive ? 0 : countOf(client, `messages?${query.toString()}`, signal),
      ]);
      const { startMs, endMs } = chartRange(from, to, nowMs);
      return { messages: entries.map(({ value }) => value), perSecond: count / ((endMs - startMs) / 1_000) };
    },
    { keepsPrevious: true },
  );
  const messages = useMemo(() => read.data?.messages ?? [], [read.data]);
  const times = useMemo(() => latencies(messages), [messages]);
  const currentRate = useAtNow((now) => {
    const moments = messages.flatMap(({ confirmed }) => confirmed ?? []);
    return ratePerSecond(moments, now, rateWindowMs).toFixed(1);
  });
  if (isLive) return { times, rate: currentRate, period: 'recently' };
  return { times, rate: read.data === undefined ? '–' : rateText(read.data.perSecond), period: 'in the time range' };
}
