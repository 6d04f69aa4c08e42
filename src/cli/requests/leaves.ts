/** The leaves of nested objects with their paths: `{"a":{"b":1}}` has `a.b` = 1. */
export function leavesOf(value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (!(value instanceof Object) || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, path === '' ? key : `${path}.${key}`));
}
