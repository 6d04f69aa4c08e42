/** The members of a stored object that are strings. */
export function textsOf(value: unknown): ReadonlyMap<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(members.flatMap(([name, each]) => (typeof each === 'string' ? [[name, each] as const] : [])));
}
