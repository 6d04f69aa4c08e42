/** What a person says of the events that are wanted: regular expressions (RE2), not anchored. */
export interface FilterWords {
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  readonly topic?: string | undefined;
  readonly author?: string | undefined;
  readonly group?: string | undefined;
}

/** Expressions by the key that a node knows them by (S §10.4). */
export type EventFilters = Readonly<Record<string, string>>;

/** The filters that were typed. */
export function eventFilters({ type, tag, topic, author, group }: FilterWords): EventFilters {
  const wanted = {
    events: type,
    'message.tag': tag,
    'message.topics': topic,
    'message.author': author,
    'message.group': group,
  };
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([key, text]) => (text === undefined || text === '' ? [] : [[key, text]])),
  );
}

/** The same as the resource of a subscription has it: what is of the message in an object of its own. */
export function nestedFilters(filters: EventFilters): Readonly<Record<string, unknown>> {
  const { events, ...others } = filters;
  const message = Object.fromEntries(
    Object.entries(others).map(([key, text]) => [key.replace(/^message\./, ''), text]),
  );
  return {
    ...(events === undefined ? {} : { events }),
    ...(Object.keys(message).length === 0 ? {} : { message }),
  };
}
