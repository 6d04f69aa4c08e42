import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson, withMember } from '../../../src/cli/json-text.js';
import { compact } from '../../../src/wire/json-reader.js';

const text = '{"b":1.0,"a":[],"c":{},"s":"x { [ , : \\" y","n":[1e2,{"k":null}]}';

describe('JSON spread over lines', () => {
  it('changes only white space outside strings', () => {
    expect(compact(indentJson(text))).toBe(text);
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(compact(indentJson(json))).toBe(compact(json));
      }),
    );
  });

  it('looks as a person expects', () => {
    expect(indentJson(text)).toBe(
      [
        '{',
        '  "b": 1.0,',
        '  "a": [],',
        '  "c": {},',
        '  "s": "x { [ , : \\" y",',
        '  "n": [',
        '    1e2,',
        '    {',
        '      "k": null',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    );
  });
});

describe('a member at the end of an object', () => {
  it('leaves the rest byte for byte', () => {
    expect(withMember('{"a":1.0, "b":"}"}\n', 'stack', '{"x":1}')).toBe('{"a":1.0, "b":"}","stack":{"x":1}}');
  });

  it('is the only one of an empty object', () => {
    expect(withMember('{ }', 'stack', '1')).toBe('{"stack":1}');
  });
});
