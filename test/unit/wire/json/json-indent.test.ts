import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import { compact } from '../../../../src/wire/json/json-reader.js';

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

  it('takes as long as it has tokens, so that a long list does not stop whoever looks at it', () => {
    const count = 300_000;
    const list = `[${'1,'.repeat(count - 1)}1]`;
    expect(indentJson(list).split('\n')).toHaveLength(count + 2);
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
