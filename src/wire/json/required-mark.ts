import type { TObject } from '@sinclair/typebox';

/** A symbol, so that no user's schema has it and no document shows it. */
const requiredMark = Symbol('required');

interface Marked extends TObject {
  readonly [requiredMark]?: RequiredMembers;
}

interface RequiredMembers {
  readonly names: readonly string[];
  /** The profile in whose networks they are not required. */
  readonly unless?: 'firefly';
}

/**
 * Marks members of a request as required although its schema leaves them optional: a handler refuses their absence,
 * null or an empty text, with a sentence of its own. Only the documentation reads the mark.
 */
export function requiring<T extends TObject>(
  names: readonly (keyof T['properties'] & string)[],
  schema: T,
  { unless }: Pick<RequiredMembers, 'unless'> = {},
): T {
  const members: RequiredMembers = { names, ...(unless !== undefined && { unless }) };
  return { ...schema, [requiredMark]: members };
}

/**
 * The members that an object of a request must have in a network with a profile: those of its schema without a default,
 * and those that are marked.
 */
export function requiredInRequest(schema: Marked, profile: 'firefly' | undefined): readonly string[] {
  const { names = [], unless } = schema[requiredMark] ?? {};
  const marked = unless !== undefined && unless === profile ? [] : names;
  const checked = requiredInReply(schema).filter((name) => schema.properties[name]?.default === undefined);
  return [...new Set([...checked, ...marked])];
}

/** The members that an object of a reply always has. */
export function requiredInReply({ required = [] }: TObject): readonly string[] {
  return required;
}
