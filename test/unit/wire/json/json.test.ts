import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../../src/wire/errors/error.js';
import { decode, textOf, valueOf, write } from '../../../../src/wire/json/json.js';
import { compact, read } from '../../../../src/wire/json/json-reader.js';
import { maxTextDepth, maxValueDepth } from '../../../../src/wire/json/json-scan.js';
import { nullable, Raw } from '../../../../src/wire/scalar.js';

/** Removes white space outside strings, in the simplest way. */
function squeeze(text: string): string {
  let squeezed = '';
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (isInString && character === '\\') squeezed += character + text.charAt(++i);
    else {
      if (character === '"') isInString = !isInString;
      if (isInString || !/[ \t\r\n]/.test(character)) squeezed += character;
    }
  }
  return squeezed;
}

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1.50', '1e2', '1E+02', '9007199254740993', '-12.0e-7', '12345678901234567890'),
  fc.integer().map(String),
);
const stringText = fc.oneof(
  fc.constantFrom('"\\u0041"', '"\\ud83d"', '"a \\" b"', '" { [ , : "', '"\\\\"', '"é\u2028"', '""'),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);
const leaf = fc.oneof(numberText, stringText, fc.constantFrom('true', 'false', 'null'));

/** JSON texts with any spelling, white space and repeated keys. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(space, fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }))
      .map(([inner, items]) => `[${items.length === 0 ? inner : items.map((item) => item.join('')).join(',')}]`),
    fc
      .tuple(space, fc.array(fc.tuple(space, stringText, space, space, tie('value'), space), { maxLength: 4 }))
      .map(([inner, members]) => {
        const texts = members.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`);
        return `{${texts.length === 0 ? inner : texts.join(',')}}`;
      }),
  ),
})).value;

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isServiceError(error, 'not_json') || isServiceError(error, 'json_bounds')) return error.reason;
    throw error;
  }
  return 'accepted';
}

/** Expects `compact` to accept a text if and only if `JSON.parse` does. */
function expectSameVerdict(text: string): void {
  let isJson = true;
  try {
    JSON.parse(text);
  } catch {
    isJson = false;
  }
  const reason = reasonOf(() => compact(text));
  expect({ text, reason }).toEqual({ text, reason: isJson ? 'accepted' : 'not_json' });
}

describe('compacting', () => {
  it('removes the white space outside strings and nothing else', () => {
    fc.assert(
      fc.property(space, jsonText, space, (before, text, after) => {
        expect(compact(before + text + after)).toBe(squeeze(text));
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const once = compact(text);
        expect(compact(once)).toBe(once);
      }),
    );
  });

  it('keeps the value that JSON.parse reads', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(valueOf(compact(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts and refuses the same texts as JSON.parse', () => {
    const damaged = fc
      .tuple(jsonText, fc.nat(), fc.constantFrom('', ',', '}', '"', '\\', '0', '.', 'e', '-', 'x', '\u0001'))
      .map(([text, at, insert]) => {
        const position = at % (text.length + 1);
        return text.slice(0, position) + insert + text.slice(position + (insert === '' ? 1 : 0));
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => {
        expectSameVerdict(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('judges strings of any length like JSON.parse, with errors at any place', () => {
    const parts = ['', '"', '\\"', '\\u00e9', '\\x', '\\', '\u0001', 'é', '"x'];
    for (let length = 0; length <= 70; length += 1) {
      for (const part of parts) {
        const start = `"${'a'.repeat(length)}${part}`;
        for (const text of [start, `${start}"`, `${start}${'b'.repeat(40)}"`]) expectSameVerdict(text);
      }
    }
  });

  it('judges numbers like JSON.parse', () => {
    const parts = ['', '-', '0', '00', '7', '70', '.', '.5', 'e', 'E7', 'e+', 'e-07'];
    for (const sign of parts) {
      for (const whole of parts) for (const rest of parts) expectSameVerdict(`${sign}${whole}${rest}`);
    }
  });

  it('keeps the spelling of numbers, the order of keys, escapes and repeated keys', () => {
    const text = '{ "b" : 1.0, "a": 12345678901234567890, "a": "\\u0041" , "c": 1e2 }';
    expect(compact(text)).toBe('{"b":1.0,"a":12345678901234567890,"a":"\\u0041","c":1e2}');
  });

  it.each([
    ['{"a":', 'it ends too early', 5],
    ['{"a" 1}', 'expected ":"', 5],
    ['[1 2]', 'expected "," or "]"', 3],
    ['01', 'there is more after the end of the value', 1],
    ['"\u0009"', 'a string has a bad escape or a control character', 1],
    ['-', 'a number is malformed', 0],
    ['[1.]', 'a number is malformed', 1],
    ['', 'it ends too early', 0],
    ['\uFEFF{}', 'a byte order mark is not allowed', 0],
  ])('reports the problem and its position in %j', (text, problem, position) => {
    try {
      compact(text);
      expect.unreachable();
    } catch (error) {
      expect(isServiceError(error, 'not_json') && error.fields).toEqual({ problem, position });
    }
  });

  it('allows values to nest to their limit and no further', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(compact(nested(maxValueDepth))).toBe(nested(maxValueDepth));
    expect(reasonOf(() => compact(nested(maxValueDepth + 1)))).toBe('json_bounds');
  });

  it.each(['[', '{"a":'])('refuses 200,000 levels of %s without a stack overflow', (open) => {
    expect(reasonOf(() => compact(open.repeat(200_000)))).toBe('json_bounds');
    expect(reasonOf(() => read(open.repeat(200_000), Envelope))).toBe('json_bounds');
  });
});

const Envelope = Type.Object({
  name: Type.String(),
  note: Type.Optional(nullable(Type.String())),
  items: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), value: Raw }))),
});

describe('reading by a schema', () => {
  it('returns the text of raw members and the values of the others', () => {
    const text = ' { "items" : [ { "value" : { "n" : 1.0 } , "id" : 7 } ] , "name" : "a\\u0062" } ';
    expect(read(text, Envelope)).toEqual({
      value: { name: 'ab', items: [{ id: 7, value: '{"n":1.0}' }] },
      unknown: [],
    });
  });

  it('drops and lists members that the schema does not name', () => {
    const { value, unknown } = read('{"name":"a","x":[1],"items":[{"id":1,"value":1,"y":2}]}', Envelope);
    expect(value).toEqual({ name: 'a', items: [{ id: 1, value: '1' }] });
    expect(unknown).toEqual(['x', 'items[0].y']);
  });

  it('refuses a repeated key, even if it is escaped, but allows it within a raw value', () => {
    expect(reasonOf(() => read('{"name":"a","name":"b"}', Envelope))).toBe('json_bounds');
    expect(reasonOf(() => read('{"name":"a","nam\\u0065":"b"}', Envelope))).toBe('json_bounds');
    expect(reasonOf(() => read('{"name":"a","items":[{"id":1,"value":{"k":1,"k":2}}]}', Envelope))).toBe('accepted');
  });

  it('limits list entries and unknown members, and counts nothing within raw values', () => {
    const limited = (text: string) => reasonOf(() => read(text, Envelope, { maxEntries: 3 }));
    const list = (count: number) =>
      `[${Array.from({ length: count }, () => '{"id":1,"value":[1,2,3,4,5]}').join(',')}]`;
    expect(limited(`{"name":"a","items":${list(3)}}`)).toBe('accepted');
    expect(limited(`{"name":"a","items":${list(4)}}`)).toBe('json_bounds');
    expect(limited('{"a":1,"b":1,"c":1}')).toBe('accepted');
    expect(limited(`{"a":1,"b":1,"items":${list(2)}}`)).toBe('json_bounds');
  });

  it('builds a list only up to its maximum, and checks the rest', () => {
    const Short = Type.Object({ names: Type.Array(Type.String(), { maxItems: 2 }), last: Type.Integer() });
    expect(read('{"names":["a","b"],"last":1}', Short)).toMatchObject({ value: { last: 1 }, tooLong: undefined });
    const { value, tooLong } = read('{"names":["a","b","c",{}],"last":1}', Short);
    expect({ value, tooLong }).toEqual({ value: { names: ['a', 'b'], last: 1 }, tooLong: 'names' });
    expect(reasonOf(() => read('{"names":["a","b",c],"last":1}', Short))).toBe('not_json');
  });

  it('treats names of prototype members as unknown', () => {
    const { value, unknown } = read('{"name":"a","__proto__":{"x":1},"constructor":1,"toString":2}', Envelope);
    expect(value).toEqual({ name: 'a' });
    expect(unknown).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it('reads null where the schema allows it', () => {
    expect(read('{"name":"a","note":null}', Envelope).value).toEqual({ name: 'a', note: null });
  });

  it('limits the depth of the whole text, with the levels around raw values', () => {
    const value = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const deep = (depth: number) => `{"name":"a","items":[{"id":1,"value":${value(depth)}}]}`;
    expect(reasonOf(() => read(deep(maxValueDepth), Envelope))).toBe('accepted');
    expect(reasonOf(() => read(deep(maxValueDepth + 1), Envelope))).toBe('json_bounds');
    const Nested = nest(maxTextDepth - maxValueDepth);
    const text = (levels: number, depth: number) => `${'{"a":'.repeat(levels)}${value(depth)}${'}'.repeat(levels)}`;
    const levels = maxTextDepth - maxValueDepth;
    expect(reasonOf(() => read(text(levels, maxValueDepth), Nested))).toBe('accepted');
    expect(reasonOf(() => read(text(levels + 1, maxValueDepth), nest(levels + 1)))).toBe('json_bounds');
  });
});

function nest(levels: number): ReturnType<typeof Type.Object> {
  let schema: ReturnType<typeof Type.Object> | typeof Raw = Raw;
  for (let i = 0; i < levels; i++) schema = Type.Object({ a: schema });
  return Type.Object(schema === Raw ? {} : schema.properties);
}

describe('writing by a schema', () => {
  it('returns the text that was read', () => {
    fc.assert(
      fc.property(jsonText, fc.string({ unit: 'grapheme' }), (value, name) => {
        const text = `{"name":${JSON.stringify(name)},"note":null,"items":[{"id":1,"value":${squeeze(value)}}]}`;
        expect(write(Envelope, read(text, Envelope).value)).toBe(text);
      }),
    );
  });

  it('leaves out what is absent and what the schema does not name', () => {
    expect(write(Envelope, { other: 1, name: 'a', note: undefined })).toBe('{"name":"a"}');
  });
});

describe('decode and textOf', () => {
  it('refuse bytes that are not UTF-8', () => {
    expect(reasonOf(() => decode(Uint8Array.of(0x22, 0xff, 0x22)))).toBe('json_bounds');
    expect(decode(Buffer.from('"é"'))).toBe('"é"');
  });

  it('write values as compact JSON', () => {
    expect(textOf({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}');
  });
});
