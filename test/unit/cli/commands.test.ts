import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from '@oclif/core/command';
import { Config } from '@oclif/core/config';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { BaseCommand } from '../../../src/cli/base.js';
import { commandGroups } from '../../../src/cli/help/command-groups.js';

const root = new URL('../../../src/cli/commands/', import.meta.url).pathname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const commands = await Promise.all(
  files.map(async (file) => {
    const module: Record<string, unknown> = await import(join(root, file));
    return { id: file.replace(/\.ts$/, '').replaceAll('/', ':'), file, loaded: module['default'] };
  }),
);

const config = await Config.load(new URL('../../../', import.meta.url).pathname);

function isCommand(value: unknown): value is typeof Command {
  return typeof value === 'function' && value.prototype instanceof Command;
}

describe('the commands', () => {
  it('are all in the help, once each', () => {
    const shown = commandGroups.flatMap(([, ids]) => ids);
    expect(shown.toSorted()).toEqual(commands.map(({ id }) => id).toSorted());
  });

  it('have a line in the package for each topic without a command of its name', () => {
    const names = new Set(commands.map(({ id }) => id));
    const topics = commands.flatMap(({ id }) => (id.includes(':') ? [id.slice(0, id.indexOf(':'))] : []));
    const described = Object.keys(manifest.oclif.topics);
    expect(described.toSorted()).toEqual([...new Set(topics)].filter((topic) => !names.has(topic)).toSorted());
  });

  it('have no aliases except the five agreed ones', () => {
    const names = commands.flatMap(({ loaded }) =>
      isCommand(loaded) ? [...loaded.aliases, ...loaded.hiddenAliases] : [],
    );
    expect(names.toSorted()).toEqual(['down', 'ls', 'ps', 'rm', 'up']);
  });
});

describe.each(commands)('$id', ({ id, file, loaded }) => {
  it('has a summary, an example, --json, and reads no argument from stdin', () => {
    expect(isCommand(loaded)).toBe(true);
    if (!isCommand(loaded)) return;
    expect(loaded.prototype).toBeInstanceOf(BaseCommand);
    expect(loaded.summary).toMatch(/^[A-Z].{1,58}\.$/); // fits a line of 80 beside its name
    expect(loaded.examples?.length).toBeGreaterThan(0);
    expect(Object.keys(loaded.baseFlags ?? {})).toContain('json');
    for (const argument of Object.values(loaded.args)) expect(argument.ignoreStdin).toBe(true);
  });

  it('reports an unknown flag as a usage error, and suggests a known one', async () => {
    if (!isCommand(loaded)) throw new Error('not a command');
    const named = Object.assign(loaded, { id });
    const plain = { aliases: [], args: {}, flags: {}, hidden: false, hiddenAliases: [] };
    const found = { id, ...plain, load: () => Promise.resolve(named) };
    await expect(config.runCommand(id, ['--jsno'], found)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('--json') as string,
    });
  });

  it('has no greedy flag, and uses each letter for one meaning', () => {
    if (!isCommand(loaded)) throw new Error('not a command');
    const letters: Record<string, string> = {
      s: 'stack',
      p: 'party',
      q: 'quiet',
      v: 'verbose',
      y: 'yes',
      d: 'data',
      t: 'template',
      n: 'parties or lines',
      f: 'follow or file',
      H: 'header',
      i: 'include',
      o: 'output',
      F: 'foreground',
    };
    for (const [name, flag] of Object.entries({ ...loaded.baseFlags, ...loaded.flags })) {
      if (flag.type === 'option' && flag.multiple === true) expect(flag.multipleNonGreedy).toBe(true);
      if (flag.char !== undefined) expect(letters[flag.char]).toContain(name);
    }
  });

  it('loads its implementation only when it runs', () => {
    for (const specifier of importsOf(join(root, file))) {
      expect(specifier).toMatch(/^@oclif\/core\/flags$|\/(?:base|flags)\.js$/);
      if (!specifier.endsWith('/flags.js')) continue;
      const flags = join(root, dirname(file), specifier.replace(/\.js$/, '.ts'));
      for (const inner of importsOf(flags)) expect(inner).toMatch(/^@oclif\/core\/(?:flags|args)$|\/flags\.js$/);
    }
  });
});

/** Returns the modules that a file imports when it is loaded. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/^import (?!type )[^;]* from '([^']*)';$/gm)].map(([, name = '']) => name);
}
