import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import { compact } from '../../../../src/wire/json/json-reader.js';

const text = '{"b":1.0,"a":[],"c":{},"s":"x { [ , : \\" y","n":[1e2,{"k":null}]}';

describe('indented JSON', () => {
  it('differs only in white space outside strings', () => {
    expect(compact(indentJson(text))).toBe(text);
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(compact(indentJson(json))).toBe(compact(json));
      }),
    );
  });

  it('is made in linear time (300,000 items)', () => {
    const count = 300_000;
    const list = `[${'1,'.repeat(count - 1)}1]`;
    expect(indentJson(list).split('\n')).toHaveLength(count + 2);
  });

  it('has one member or item on each line', () => {
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
