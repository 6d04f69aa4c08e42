import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { showExamples } from '../../../../src/cli/cheat/cheat.js';
import { sheets } from '../../../../src/cli/cheat/sheets.js';
import { memoryOutput } from '../memory-output.js';

const context = { output: memoryOutput().output, environment: {}, program: 'parley' };
const commands = readdirSync(new URL('../../../../src/cli/commands/', import.meta.url), { recursive: true })
  .filter((file) => String(file).endsWith('.ts'))
  .map((file) => String(file).replace(/\.ts$/, '').replaceAll('/', ' '));

describe('worked examples', () => {
  it.each(Object.entries(sheets))('of %s are existing commands, and fit in a line', (_, examples) => {
    for (const [what, command] of examples) {
      expect(
        commands.some((name) => `${command} `.startsWith(`${name} `)),
        command,
      ).toBe(true);
      expect(what).toMatch(/^[^A-Z].{2,70}[^.]$/);
    }
  });

  it('are those of one topic, with the name of the program that was typed', () => {
    const { text, json, primary } = showExamples('testing', context);
    expect(text).toContain('testing\n  # check the state of a message at every party\n  parley expect message');
    expect(text).toContain('parley broadcast later && parley snapshot save later');
    expect(text).not.toContain('stack ');
    expect(json).toMatchObject({ topics: [{ topic: 'testing' }] });
    expect(primary?.split('\n')[0]).toBe('parley expect message tag=order confirmed on all');
  });

  it('are those of all topics without one, and an error for an unknown topic', () => {
    expect(showExamples(undefined, context).primary?.split('\n')).toEqual(Object.keys(sheets));
    expect(() => showExamples('token', context)).toThrow(expect.objectContaining({ exitCode: 3 }));
    expect(() => showExamples('constructor', context)).toThrow(expect.objectContaining({ exitCode: 3 }));
  });
});
