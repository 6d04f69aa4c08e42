import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Shown {
  readonly file: string;
  readonly words: readonly string[];
}

/** The `stack` commands that pages show in full. */
function shownCommands(): readonly Shown[] {
  const files = readdirSync('ui/src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  return files.flatMap((file) => {
    const texts = [...readFileSync(`ui/src/${file}`, 'utf8').matchAll(/command=(?:"([^"]*)"|\{`([^`$]*)`\})/g)];
    return texts
      .flatMap(([, plain, template]) => (plain ?? template ?? '').split(/\s(?:\||&&)\s/))
      .filter((text) => text.startsWith('stack '))
      .map((text) => ({ file, words: [...text.matchAll(/'[^']*'|\S+/g)].map(([word]) => word).slice(1) }));
  });
}

/** The module of the command that the first words name. */
function moduleOf(words: readonly string[]): string | undefined {
  return [2, 1]
    .map((count) => `src/cli/commands/${words.slice(0, count).join('/')}.ts`)
    .find((path) => existsSync(path));
}

describe('A command on a page', () => {
  const commands = shownCommands();

  test('is found in the sources', () => {
    expect(commands.length).toBeGreaterThan(10);
  });

  test.each(commands)('exists with its flags: $file, $words', async ({ words }) => {
    const path = moduleOf(words) ?? 'no such command';
    const { default: command } = (await import(`../../../${path}`)) as {
      default: { flags: Readonly<Record<string, { readonly char?: string }>> };
    };
    const known = Object.entries(command.flags).flatMap(([name, { char }]) => [`--${name}`, `-${char ?? name}`]);
    const given = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]);
    expect(known).toEqual(expect.arrayContaining(given));
  });
});
