import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/cli/errors/exit.js';
import { fileText, loadText, payloadSource, payloadValue } from '../../../../src/cli/requests/payload.js';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-payload-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const noStdin = () => Promise.reject(new Error('stdin is not to be read'));

function failureOf(work: () => unknown): CliError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  return undefined;
}

describe('a payload', () => {
  it('that is JSON is sent as that text, compacted', () => {
    expect(payloadValue(' {"n": 1.0, "b": 12345678901234567890} ')).toBe('{"n":1.0,"b":12345678901234567890}');
    expect(['1', 'true', 'null', '"x"', '[ ]'].map((text) => payloadValue(text))).toEqual([
      '1',
      'true',
      'null',
      '"x"',
      '[]',
    ]);
  });

  it('that is other text is a string', () => {
    expect(['hello world', 'tru', '007', 'it\'s "x"', ''].map((text) => payloadValue(text))).toEqual([
      '"hello world"',
      '"tru"',
      '"007"',
      '"it\'s \\"x\\""',
      '""',
    ]);
  });

  it.each(['{"a":', '[1,', '"x', '{a:1}', ' {"a":1}}'])(
    'that begins like JSON but is invalid is refused: %s',
    (text) => {
      expect(failureOf(() => payloadValue(text))).toMatchObject({ exitCode: 2 });
    },
  );

  it('that is refused is reported with line and column', () => {
    expect(failureOf(() => payloadValue('{"a":1,\n "b":}'))?.message).toContain('line 2, column 6');
  });

  it('that is nested too deeply is refused, never sent as a string', () => {
    expect(failureOf(() => payloadValue('['.repeat(100) + ']'.repeat(100)))).toMatchObject({ exitCode: 2 });
  });

  it('is either refused or JSON, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        let value: string | undefined;
        const failure = failureOf(() => {
          value = payloadValue(text);
        });
        if (failure === undefined) expect(() => JSON.parse(value ?? '') as unknown).not.toThrow();
      }),
    );
  });
});

describe('the source of a payload', () => {
  it('is refused if stdin is empty, since the program that should have written there has failed', async () => {
    const empty = () => Promise.resolve(Buffer.alloc(0));
    await expect(loadText({ kind: 'stdin' }, empty)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('is refused if its file is empty, for the same reason', async () => {
    const path = join(directory, 'empty');
    await writeFile(path, '');
    await expect(loadText(payloadSource(`@${path}`), noStdin)).rejects.toMatchObject({ code: 'USAGE' });
    // A file of steps or assertions may be empty.
    expect(await fileText(path)).toBe('');
  });

  it('is the text itself, a file after @, or stdin for -', () => {
    expect(['x', '@a/b.json', '-', '-1'].map(payloadSource)).toEqual([
      { kind: 'inline', text: 'x' },
      { kind: 'file', path: 'a/b.json' },
      { kind: 'stdin' },
      { kind: 'inline', text: '-1' },
    ]);
  });

  it('is read byte for byte', async () => {
    const path = join(directory, 'order.json');
    await writeFile(path, '{"price": 1.50}\n');
    expect(await loadText(payloadSource(`@${path}`), noStdin)).toBe('{"price": 1.50}\n');
    expect(await loadText(payloadSource('-'), () => Promise.resolve(Buffer.from('é')))).toBe('é');
  });

  it('that cannot be read, or is not UTF-8, is a usage error', async () => {
    await expect(loadText(payloadSource('@/nowhere/x'), noStdin)).rejects.toMatchObject({ exitCode: 2 });
    const path = join(directory, 'image');
    await writeFile(path, Uint8Array.of(0xff, 0xd8));
    await expect(loadText(payloadSource(`@${path}`), noStdin)).rejects.toMatchObject({ exitCode: 2 });
  });
});
