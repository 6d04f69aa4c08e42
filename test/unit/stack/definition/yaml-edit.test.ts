import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { setInYaml } from '../../../../src/stack/definition/yaml-edit.js';

const text = `# my network
apiVersion: stack/v1   # the format
name: 'dev'
parties: [ alice,bob ] # the two of us
chain:
  # about the chain
  chainId: 31337 # ours

  cors:
    origins:
      - http://localhost:1 # mine
      - http://localhost:2
logs: {level: info,   maxFiles: 5} # small
tokens:
  pools:
    - name: coins
      type: fungible
ports:
`;

describe('Setting a value in a YAML text', () => {
  test.each([
    ['logs.level', 'debug', 'logs: {level: info, ', 'logs: {level: debug, '],
    ['chain.chainId', 7, 'chainId: 31337 # ours', 'chainId: 7 # ours'],
    ['logs.maxBytes', 65_536, 'maxFiles: 5}', 'maxFiles: 5, maxBytes: 65536}'],
    ['parties', ['carol'], '[ alice,bob ]', '[carol]'],
    ['parties.2', 'carol', 'alice,bob ]', 'alice,bob, carol ]'],
    ['name', 'a: b', "'dev'", '"a: b"'],
    ['name', '0x10', "'dev'", '"0x10"'],
    [
      'chain.genesisTime',
      '2026-01-01T00:00:00Z',
      '      - http://localhost:2\n',
      '      - http://localhost:2\n  genesisTime: 2026-01-01T00:00:00Z\n',
    ],
    ['chain.cors.origins.0', 'http://x', 'http://localhost:1 # mine', 'http://x # mine'],
    [
      'chain.cors.origins.2',
      'http://x',
      '      - http://localhost:2\n',
      '      - http://localhost:2\n      - http://x\n',
    ],
    ['tokens.pools.0.owner', 'bob', '      type: fungible\n', '      type: fungible\n      owner: bob\n'],
    ['ports.base', 20_000, 'ports:\n', 'ports: {base: 20000}\n'],
    ['restart.max', 3, 'ports:\n', 'ports:\nrestart: {max: 3}\n'],
    ['cors.origins', ['http://a, b'], 'ports:\n', 'ports:\ncors: {origins: ["http://a, b"]}\n'],
  ])('%s = %j changes only that place', (path, value, before, after) => {
    const expected = text.replace(before.replace('info, ', 'info,'), after.replace('debug, ', 'debug,'));
    expect(setInYaml(text, path.split('.'), value)).toBe(expected);
  });

  test('of several lines writes one line, and keeps the rest', () => {
    const changed = setInYaml(text, ['chain', 'cors', 'origins'], []);
    expect(changed).toContain('    origins: []\nlogs:');
    expect(changed).toContain('# about the chain\n  chainId: 31337 # ours\n\n');
  });

  test('works in an empty text, in one with only comments, and without a last line break', () => {
    expect(parse(setInYaml('', ['logs', 'level'], 'debug'))).toEqual({ logs: { level: 'debug' } });
    expect(setInYaml('# mine\n', ['color'], false)).toMatch(/^# mine\n\s*color: false\n$/);
    expect(setInYaml('a: 1', ['b'], 2)).toBe('a: 1\nb: 2');
  });

  test.each([
    ['name.first', 'name is a single value'],
    ['parties.first', 'parties is a list of 2'],
    ['parties.3', 'parties is a list of 2'],
  ])('refuses the path %s', (path, message) => {
    expect(() => setInYaml(text, path.split('.'), 1)).toThrow(message);
  });

  test('changes that value and no other, in any text', () => {
    const key = fc.constantFrom('a', 'b', 'c d', 'e#', 'f: g');
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, leaf, fc.dictionary(key, tie('tree'), { maxKeys: 4 })),
    }));
    const style = fc.constantFrom('block' as const, 'flow' as const, 'any' as const);
    const input = fc.tuple(
      fc.dictionary(key, tree, { minKeys: 1 }),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      leaf,
      style,
    );
    fc.assert(
      fc.property(input, ([value, path, set, collectionStyle]) => {
        const before = stringify(value, { collectionStyle });
        const parsed: unknown = parse(before);
        if (isBlocked(parsed, path)) {
          expect(() => setInYaml(before, path, set)).toThrow(/is a (?:single value|list)/);
          return;
        }
        expect(parse(setInYaml(before, path, set))).toEqual(withMember(parsed, path, set));
      }),
      { numRuns: 300 },
    );
  });
});

/** Whether a path leads through a value without named members. */
function isBlocked(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || value === undefined || value === null) return false;
  if (!(value instanceof Object) || Array.isArray(value)) return true;
  return isBlocked(Reflect.get(value, key), rest);
}

function withMember(value: unknown, [key, ...rest]: readonly string[], set: unknown): unknown {
  if (key === undefined) return set;
  const members = value instanceof Object ? Object.fromEntries(Object.entries(value)) : {};
  return { ...members, [key]: withMember(members[key], rest, set) };
}
