import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createCli } from '../fixtures/cli.js';
import { type Screen, showInTerminal, textOfScreen } from '../fixtures/terminal.js';
import { drawSession } from '../fixtures/terminal-picture.js';

// UPDATE_PICTURES=1 npx vitest run test/e2e/cli/terminal.test.ts renews the pictures after a change of an output.
const updates = process.env['UPDATE_PICTURES'] === '1';
const picture = (columns: number) => new URL(`../../../docs/pictures/terminal-${columns}.svg`, import.meta.url);

/** A first session. Events are shown with their values, and each width has a separate stack. */
const session: readonly (readonly string[])[] = [
  ['init', 'dev'],
  ['start', 'dev'],
  ['broadcast', '{"order":17}', '--topic', 'orders', '--tag', 'order', '--wait', 'all'],
  ['send', 'only for you', '--to', 'bob'],
  ['events', 'tail', '--all-parties', '--type', '^message_', '-n', '5', '--count', '5', '--with-data'],
  ['messages', 'list'],
  ['status'],
];

/** `script` of util-linux makes the terminals. */
describe.runIf(process.platform === 'linux').each([80, 120])('In a terminal of %i columns', (columns) => {
  const cli = createCli();
  const screens: { readonly words: readonly string[]; readonly screen: Screen }[] = [];

  beforeAll(async () => {
    for (const words of session) {
      const more = words[0] === 'init' ? ['--port-base', await freePortBase()] : [];
      const screen = await showInTerminal(cli, [...words, ...more], columns);
      expect(screen.code, textOfScreen(screen).join('\n')).toBe(0);
      screens.push({ words, screen });
    }
  });
  afterAll(async () => {
    await cli.run(['remove', '--all', '--yes', '--force']);
    await cli.remove();
  });

  test('every line of a first session fits, in colours that are readable on light and dark backgrounds', () => {
    expect(screens.flatMap(({ screen }) => screen.wrapped)).toEqual([]);
    const colors = new Set(screens.flatMap(({ screen }) => screen.lines.flat().map(({ style }) => style)));
    expect(colors).toContain('green');
  });

  test('text that a person needs next is not cut: addresses, commands, states', () => {
    const shown = new Map(screens.map(({ words, screen }) => [words.slice(0, 2).join(' '), textOfScreen(screen)]));
    expect(shown.get('start dev')?.join('\n')).toMatch(/✓ alice .* http:\/\/127\.0\.0\.1:\d+ +\/ui\n[^]*\nReady in /);
    const status = shown.get('status') ?? [];
    expect(status[1]).toMatch(/^service +state .*url +note/);
    for (const party of ['alice', 'bob', 'carol']) {
      expect(status.find((line) => line.startsWith(party))).toMatch(
        / healthy .* http:\/\/127\.0\.0\.1:\d+ +\d messages?$/,
      );
    }
    const tail = shown.get('events tail')?.join('\n');
    expect(tail).toMatch(
      / message_confirmed [0-9a-f]{8} broadcast alice → \*\s+tag=order\s+topic=orders \{"order":17\}/,
    );
    expect(shown.get('messages list')?.[0]).toMatch(/^id +type +author +tag +topics +state +age$/);
  });

  test('help fits except for its examples, has headings, and prints no style as text', async () => {
    for (const words of [
      ['broadcast', '--help'],
      ['init', '--help'],
      ['help', 'events'],
    ]) {
      const screen = await showInTerminal(cli, words, columns);
      expect(screen.lines.flat()).toContainEqual({ text: 'USAGE', style: 'bold' });
      expect(textOfScreen(screen).join('\n')).not.toContain('\\u{');
      expect(screen.wrapped.filter((line) => !line.startsWith('  $ '))).toEqual([]);
    }
  });

  test('the picture in the documents shows this session', async () => {
    const lines = screens.map(({ words, screen }) => ({ line: typed(words), screen: withoutPlace(screen) }));
    if (updates) await writeFile(picture(columns), drawSession(lines));
    const drawn = await readFile(picture(columns), 'utf8');
    const prompts = [...drawn.matchAll(/class="text bold"[^>]*>(.*?)<\/text>/g)].map(([, text]) => text);
    expect(prompts).toEqual(expect.arrayContaining(lines.map(({ line }) => line.replaceAll('>', '&gt;'))));
  });

  /** Replaces the home directory with `~`, as a shell shows it. */
  function withoutPlace(screen: Screen): Screen {
    const lines = screen.lines.map((runs) =>
      runs.map(({ text, style }) => ({
        text: text.replace(`${cli.directory}/home`, '~/.local/share/parley').replaceAll(homedir(), '~'),
        style,
      })),
    );
    return { ...screen, lines };
  }
});

/** Formats the words as they are typed in a shell. */
function typed(words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w.,:/=@^-]+$/.test(word) ? word : `'${word}'`));
  return ['stack', ...quoted].join(' ');
}
