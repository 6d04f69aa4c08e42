import { useAtNow } from './now.js';
import { agoText, clockText, dayText, noTimeText } from './time-text.js';

/** A time relative to now, with the exact time as tooltip. */
export function Time({ iso }: { readonly iso: string }) {
  const thenMs = Date.parse(iso);
  const text = useAtNow((nowMs) => agoText(thenMs, nowMs));
  return (
    <time dateTime={iso} title={iso}>
      {text}
    </time>
  );
}

/** A time of day: with milliseconds if it is today, otherwise with its day. */
export function ClockTime({ iso }: { readonly iso: string }) {
  const date = new Date(iso);
  const day = useAtNow((nowMs) => dayText(date.getTime(), nowMs));
  if (Number.isNaN(date.getTime())) return <time title={iso}>{noTimeText}</time>;
  return (
    <time dateTime={iso} title={iso}>
      {day !== '' && `${day} `}
      {clockText(date.getTime())}
      {day === '' && <span className="muted">.{String(date.getMilliseconds()).padStart(3, '0')}</span>}
    </time>
  );
}
