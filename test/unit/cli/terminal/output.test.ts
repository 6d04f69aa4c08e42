import { describe, expect, it } from 'vitest';
import { createOutput, modesFrom, type Output, type Sink } from '../../../../src/cli/terminal/output.js';
import { type Column, printTable } from '../../../../src/cli/terminal/table.js';
import { memoryOutput } from '../memory-output.js';

const escape = '\u001b';

async function everything(options: Parameters<typeof memoryOutput>[0]): Promise<string> {
  const { output, out, err } = memoryOutput(options);
  await output.line(output.out.paint('red', 'x'));
  await output.note(output.err.paint('bold', 'x'));
  if (output.isAnimated) await output.draw(['a']);
  return out() + err();
}

describe('escape sequences', () => {
  it('draws no more lines than a terminal can overwrite, which cannot go above its upper edge', async () => {
    const { output, err } = memoryOutput({ isTerminal: true, rows: 4 });
    await output.draw(['a', 'b', 'c', 'd', 'e']);
    await output.draw(['a', 'b', 'c']);
    await output.draw([]);
    expect(err()).toBe('a\nb\n… 3 more\n\u001b[3A\u001b[Ja\nb\nc\n\u001b[3A\u001b[J');
  });

  it('are written to a terminal', async () => {
    expect(await everything({ isTerminal: true })).toContain(escape);
  });

  it.each([
    ['NO_COLOR', { isTerminal: true, environment: { NO_COLOR: '1' } }],
    ['TERM=dumb', { isTerminal: true, environment: { TERM: 'dumb' } }],
    ['CI=true', { isTerminal: true, environment: { CI: 'true' } }],
    ['--no-color', { isTerminal: true, modes: { hasColor: false } }],
    [
      '--no-color even with FORCE_COLOR',
      { isTerminal: true, environment: { FORCE_COLOR: '1' }, modes: { hasColor: false } },
    ],
    ['a stream that is no terminal', { isTerminal: false }],
  ])('are not written with %s', async (_, options) => {
    expect(await everything(options)).not.toContain(escape);
  });

  it('are forced by FORCE_COLOR', async () => {
    expect(await everything({ isTerminal: false, environment: { FORCE_COLOR: '1', NO_COLOR: '1' } })).toContain(escape);
  });
});

describe('the modes', () => {
  it('are read from the arguments before anything is parsed', () => {
    expect(modesFrom(['broadcast', '--jsn', '--json', '-q', '-v', '--no-color'])).toEqual({
      isJson: true,
      isQuiet: true,
      isVerbose: true,
      hasColor: false,
    });
  });

  it('may be letters combined with others that take no value', () => {
    expect(modesFrom(['remove', 'dev', '-yq'])).toMatchObject({ isQuiet: true, isVerbose: false });
    expect(modesFrom(['api', 'GET', '/', '-iv'])).toMatchObject({ isQuiet: false, isVerbose: true });
    expect(modesFrom(['status', '-sq', '-pv'])).toMatchObject({ isQuiet: false, isVerbose: false });
  });

  it('end at --', () => {
    expect(modesFrom(['run', '--', 'x', '--json', '-q'])).toMatchObject({ isJson: false, isQuiet: false });
  });
});

describe('a JSON answer', () => {
  it('is one unchanged line for a program', async () => {
    const { output, out } = memoryOutput();
    await output.json('{"a":1.0}');
    expect(out()).toBe('{"a":1.0}\n');
  });

  it('is indented on a terminal, without control characters', async () => {
    const { output, out } = memoryOutput({ isTerminal: true });
    await output.json('{"a":"\u009b31m"}');
    expect(out()).toBe('{\n  "a": "\\u009b31m"\n}\n');
  });
});

/** One of each kind, with a style that only the output may set. */
const hostile = 'a\u001b[31mb\u007f\u0085\u009b2Jc\u061c\u200e\u200f\u2028\u202a\u202e\u2066\u2069d\r\u0007';
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** Characters that JSON does not escape: all except C0. */
const hostileJson = `{"a":${JSON.stringify(hostile)},"b":[1.0,"\u009b"]}`;

describe('external text on a terminal', () => {
  it.each<readonly [string, (output: Output) => Promise<void>]>([
    ['line', (output) => output.line(hostile)],
    ['note', (output) => output.note(hostile)],
    ['draw', (output) => output.draw([hostile])],
    ['out.write', (output) => output.out.write(hostile)],
    ['err.write', (output) => output.err.write(hostile)],
    ['bytes', (output) => output.out.write(Buffer.from(hostile))],
    ['json', (output) => output.json(hostileJson)],
    ['record', (output) => output.record(hostileJson)],
    ['a text in a style', (output) => output.line(output.out.paint('red', hostile))],
  ])('can do nothing there by way of %s', async (_, write) => {
    const { output, out, err } = memoryOutput({ isTerminal: true });
    await write(output);
    const text = (out() + err()).replaceAll(/\u001b\[(?:31|0)m(?=a|\n)/g, '');
    expect(text).not.toMatch(controls);
    expect(text).toContain('9b');
  });

  it('keeps its line breaks and tabs, and is not cut at a byte limit', async () => {
    const { output, out } = memoryOutput({ isTerminal: true });
    const bytes = Buffer.from('a\tü\n\u009b');
    for (const byte of bytes) await output.out.write(Uint8Array.of(byte));
    expect(out()).toBe('a\tü\n\\u{9b}');
  });

  it('as JSON keeps its meaning', async () => {
    const { output, out } = memoryOutput({ isTerminal: true });
    await output.record(hostileJson);
    await output.json(hostileJson);
    const [line = '', ...rest] = out().split('\n');
    expect(JSON.parse(line)).toEqual(JSON.parse(hostileJson));
    expect(JSON.parse(rest.join('\n'))).toEqual(JSON.parse(hostileJson));
    expect(line).toContain('1.0');
  });

  it('is escaped in the JSON of every command with --json, however it is written', async () => {
    const { output, out } = memoryOutput({ isTerminal: true, modes: { isJson: true } });
    await output.line(hostileJson);
    await output.out.write(`${hostileJson}\n`);
    for (const line of out().trim().split('\n')) expect(JSON.parse(line)).toEqual(JSON.parse(hostileJson));
    expect(out()).not.toMatch(controls);
  });

  it('cannot set styles, not even with the mark of one that was written before', async () => {
    const { output, out } = memoryOutput({ isTerminal: true });
    await output.line(output.out.paint('bold', 'x'));
    await output.line(out());
    expect(out().split('\u001b[')).toHaveLength(3);
  });
});

describe('external text in a pipe', () => {
  it('is written unchanged', async () => {
    const { output, out } = memoryOutput();
    await output.record(hostileJson);
    await output.json(hostileJson);
    await output.out.write(Buffer.from(hostile));
    expect(out()).toBe(`${hostileJson}\n${hostileJson}\n${hostile}`);
  });
});

interface Row {
  readonly name: string;
  readonly size: number;
}
const rows: readonly Row[] = [
  { name: 'a', size: 5 },
  { name: 'long-name', size: 123 },
];
const columns: readonly Column<Row>[] = [
  { name: 'name', text: ({ name }) => name },
  { name: 'size', text: ({ size }, isTerminal) => (isTerminal ? `${size} B` : String(size)) },
  { name: 'twice', spare: 1, text: ({ name }) => name + name },
];

describe('a table', () => {
  it('has tabs, no padding and no cuts for a program', async () => {
    const { output, out } = memoryOutput({ columns: 10 });
    await printTable(output, rows, columns, { hasHeaders: true });
    expect(out()).toBe('name\tsize\ttwice\na\t5\taa\nlong-name\t123\tlong-namelong-name\n');
  });

  it('is aligned on a terminal', async () => {
    const { output, out } = memoryOutput({ isTerminal: true, modes: { hasColor: false } });
    await printTable(output, rows, columns, { hasHeaders: true });
    expect(out()).toBe('name       size   twice\na          5 B    aa\nlong-name  123 B  long-namelong-name\n');
  });

  it('leaves out optional columns on a narrow terminal, then cuts', async () => {
    const narrow = memoryOutput({ isTerminal: true, columns: 20, modes: { hasColor: false } });
    await printTable(narrow.output, rows, columns, { hasHeaders: false });
    expect(narrow.out()).toBe('a          5 B\nlong-name  123 B\n');
    const tiny = memoryOutput({ isTerminal: true, columns: 8, modes: { hasColor: false } });
    await printTable(tiny.output, rows, columns, { hasHeaders: false });
    expect(
      tiny
        .out()
        .split('\n')
        .every((line) => line.length <= 8),
    ).toBe(true);
  });

  it('leaves out a wide optional column, and not a narrow one that fits', async () => {
    const mixed = [
      { name: 'name', text: (row: { name: string }) => row.name },
      { name: 'narrow', spare: 2, text: () => 'n' },
      { name: 'wide', spare: 1, text: () => 'w'.repeat(30) },
    ];
    const { output, out } = memoryOutput({ isTerminal: true, columns: 20, modes: { hasColor: false } });
    await printTable(output, [{ name: 'a' }], mixed, { hasHeaders: true });
    expect(out()).toBe('name  narrow\na     n\n');
  });

  it('has the requested columns, and refuses others', async () => {
    const { output, out } = memoryOutput();
    await printTable(output, rows, columns, { columns: 'size,name', hasHeaders: false });
    expect(out()).toBe('5\ta\n123\tlong-name\n');
    await expect(printTable(output, rows, columns, { columns: 'colour', hasHeaders: true })).rejects.toMatchObject({
      exitCode: 2,
    });
  });
});

describe('a terminal of unknown size', () => {
  it('is treated as one of 80 columns, and of any number of rows', async () => {
    const { output, err } = memoryOutput({ isTerminal: true, columns: 0, rows: 0 });
    expect([output.out.width, output.err.width]).toEqual([80, 80]);
    await output.draw(['one', 'two', 'three']);
    expect(err()).toBe('one\ntwo\nthree\n');
  });
});

describe('a stream without a reader', () => {
  const closed: Sink = {
    write: (_, done) => {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      return true;
    },
  };
  const modes = { isJson: false, isQuiet: false, isVerbose: false, hasColor: false };
  const output = createOutput({ stdout: closed, stderr: closed, environment: {}, modes });

  it('loses notes without a failure, if it is stderr', async () => {
    await expect(output.note('x')).resolves.toBeUndefined();
  });

  it('is an error, if it is stdout', async () => {
    await expect(output.line('x')).rejects.toMatchObject({ code: 'EPIPE' });
  });
});
