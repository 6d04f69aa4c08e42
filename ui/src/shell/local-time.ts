/**
 * Converts a time of the URL to the value of a `datetime-local` input: local time, in whole seconds. Empty for a
 * relative time. The end of a range is rounded up so that it stays after its start.
 */
export function localText(moment: string | undefined, rounding: 'floor' | 'ceil'): string {
  if (moment === undefined || moment.startsWith('-')) return '';
  const ms = Math[rounding](Date.parse(moment) / 1_000) * 1_000;
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

export function utcText(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
