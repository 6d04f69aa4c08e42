import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineDatatype, nameOf } from '../../../../src/cli/datatypes/define.js';
import { memoryOutput } from '../memory-output.js';

const flags = { 'no-wait': false, timeout: '30s' };

async function refusalOf(file: string): Promise<unknown> {
  const context = { output: memoryOutput().output, environment: {}, program: 'stack' };
  return defineDatatype({ ...flags, file }, context).catch((error: unknown) => error);
}

describe('The definition of a datatype', () => {
  it('reports a missing or invalid file before it asks for a name', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-define-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const path = (name: string) => join(directory, name);
    writeFileSync(path('wrong.json'), '{"type":');
    writeFileSync(path('order.json'), '{"type":"object"}');
    const refused = (text: string) => ({ exitCode: 2, message: expect.stringContaining(text) as string });
    expect(await refusalOf(path('nope.json'))).toMatchObject(refused('nope.json'));
    expect(await refusalOf(path('wrong.json'))).toMatchObject(refused('wrong.json'));
    expect(await refusalOf(path('order.json'))).toMatchObject(refused('name'));
    expect(await refusalOf('-')).toMatchObject(refused('name'));
  });

  it('has name and version of its file, unless flags give others', () => {
    expect(nameOf({ file: 'a/widget-1.0.0.json' })).toEqual({ name: 'widget', version: '1.0.0' });
    expect(nameOf({ file: 'big-widget-v2.schema.json', version: '3' })).toEqual({ name: 'big-widget', version: '3' });
    expect(nameOf({ file: '-', name: 'any', version: '1' })).toEqual({ name: 'any', version: '1' });
  });
});
