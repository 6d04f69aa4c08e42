/** The content of a URL of the explorer: namespace, page, and what the page shows. */
export interface Place {
  readonly ns: string;
  readonly page: string;
  /** The record that fills the page, or the name of a part of the page. */
  readonly id: string | undefined;
  /** Filters in the node's own query syntax, such as `tag=^order`. */
  readonly filters: readonly string[];
  /** ISO time, or a time relative to now such as `-1h`. Without `from` and `to`, the page is live. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sort: string | undefined;
  readonly columns: readonly string[] | undefined;
  /** The record in the side panel, and its tab. */
  readonly open: string | undefined;
  readonly tab: string | undefined;
  readonly query: string | undefined;
}

/** The names that may occur in a URL. */
export interface Known {
  readonly namespaces: readonly string[];
  readonly pages: readonly string[];
}

export interface Parsed {
  readonly place: Place;
  /** One sentence for each invalid part of the URL. */
  readonly notices: readonly string[];
}

const momentPattern = /^(?:-\d{1,6}[smhd]|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z)$/;
const maxFilters = 20;

/** Parses a URL. Each invalid part is ignored with a notice. Relative times count from `nowMs`. */
export function parsePlace(pathname: string, search: string, known: Known, nowMs: number): Parsed {
  const notices: string[] = [];
  const [, , nsPart = '', pagePart = '', ...rest] = pathname.split('/').map(decoded);
  const parameters = new URLSearchParams(search);
  const ns = choose(nsPart, known.namespaces, notices, (name) => `No namespace named ${name} on this node.`);
  const page = choose(pagePart, known.pages, notices, (name) => `No page named ${name}.`);
  const moment = (name: string) => {
    const value = parameters.get(name) ?? undefined;
    if (value === undefined || isMoment(value)) return value;
    notices.push(`Invalid time "${value}" for ${name}: use a time such as 2026-01-31T12:00:00Z, or -1h.`);
    return undefined;
  };
  const [from, to] = [moment('from'), moment('to')];
  const isReversed = isReversedRange(from, to, nowMs);
  if (isReversed) notices.push(`The range from ${from} to ${to} ends before it begins.`);
  const filters = parameters.getAll('f');
  if (filters.length > maxFilters) notices.push(`Only the first ${maxFilters} filters are used.`);
  const id = rest.join('/');
  const place = {
    ns,
    page,
    id: id === '' ? undefined : id,
    filters: filters.slice(0, maxFilters),
    from: isReversed ? undefined : from,
    to: isReversed ? undefined : to,
    sort: parameters.get('sort') ?? undefined,
    columns: parameters.get('cols')?.split(',') ?? undefined,
    open: parameters.get('open') ?? undefined,
    tab: parameters.get('tab') ?? undefined,
    query: parameters.get('q') ?? undefined,
  };
  return { place, notices };
}

/** Checks the date too: the pattern also matches a thirteenth month. */
function isMoment(text: string): boolean {
  return momentPattern.test(text) && (text.startsWith('-') || !Number.isNaN(Date.parse(text)));
}

function isReversedRange(from: string | undefined, to: string | undefined, nowMs: number): boolean {
  if (from === undefined || to === undefined) return false;
  return momentOf(from, nowMs) >= momentOf(to, nowMs);
}

export function formatPlace(place: Place): string {
  const path = [place.ns, place.page, ...(place.id?.split('/') ?? [])].map(encodeURIComponent).join('/');
  const parameters = new URLSearchParams();
  for (const filter of place.filters) parameters.append('f', filter);
  const single = { from: place.from, to: place.to, sort: place.sort, cols: place.columns?.join(',') };
  const others = { ...single, open: place.open, tab: place.tab, q: place.query };
  for (const [name, value] of Object.entries(others)) if (value !== undefined) parameters.set(name, value);
  return `/ui/${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
}

/**
 * Applies changes to a place. A change to another page, or to a record of another list, drops filters, order and
 * columns, which belong to the former list.
 */
export function changedPlace(from: Place, change: Partial<Place>): Place {
  const isOtherPage = change.page !== undefined && change.page !== from.page;
  const isOtherList = change.open !== undefined && 'id' in change && change.id !== from.id;
  const base = isOtherPage || isOtherList ? pagePlace(from, from.page) : from;
  return { ...base, ...change };
}

/** Reuses the former arrays if their content is the same, so that effects that depend on them do not run. */
export function withSameLists(place: Place, before: Place): Place {
  const isSame = (left: readonly string[] | undefined, right: readonly string[] | undefined) =>
    left?.length === right?.length && left?.every((each, at) => each === right?.[at]) !== false;
  return {
    ...place,
    filters: isSame(place.filters, before.filters) ? before.filters : place.filters,
    columns: isSame(place.columns, before.columns) ? before.columns : place.columns,
  };
}

/** The initial place of a page: no filters, nothing open, the same time range. */
export function pagePlace(from: Place, page: string, more: Partial<Place> = {}): Place {
  const emptied = { id: undefined, filters: [], sort: undefined, columns: undefined, open: undefined };
  return { ...from, ...emptied, tab: undefined, query: undefined, page, ...more };
}

/** Converts a time of the URL to an ISO time. */
export function momentOf(text: string, nowMs: number): string {
  const [, digits, unit] = /^-(\d+)([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return new Date(text).toISOString();
  return new Date(nowMs - Number(digits) * (unitMs[unit] ?? 0)).toISOString();
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function choose(name: string, known: readonly string[], notices: string[], say: (name: string) => string): string {
  if (known.includes(name)) return name;
  if (name !== '') notices.push(say(name));
  return known[0] ?? name;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
