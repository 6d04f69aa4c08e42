/** The members of an object that was stored, as texts; those that are none are left out. */
export function textsOf(value: unknown): ReadonlyMap<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(members.flatMap(([name, each]) => (typeof each === 'string' ? [[name, each] as const] : [])));
}
